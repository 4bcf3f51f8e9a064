#ifndef WAVES_TENSOR_H_
#define WAVES_TENSOR_H_
namespace waves {
namespace tensor {
    struct AminusT {
      constexpr static unsigned const Shape[2] = {9, 9};
      constexpr static unsigned const Size = 81;
      constexpr static unsigned size() { return Size; }
    };
    struct AplusT {
      constexpr static unsigned const Shape[2] = {9, 9};
      constexpr static unsigned const Size = 81;
      constexpr static unsigned size() { return Size; }
    };
    struct I {
      constexpr static unsigned const Shape[2] = {4, 9};
      constexpr static unsigned const Size = 36;
      constexpr static unsigned size() { return Size; }
    };
    struct Q {
      constexpr static unsigned const Shape[2] = {4, 9};
      constexpr static unsigned const Size = 36;
      constexpr static unsigned size() { return Size; }
    };
    struct Qane {
      constexpr static unsigned const Shape[3] = {4, 6, 2};
      constexpr static unsigned const Size = 48;
      constexpr static unsigned size() { return Size; }
    };
    struct atPoints {
      constexpr static unsigned const Shape[2] = {3, 9};
      constexpr static unsigned const Size = 36;
      constexpr static unsigned size() { return Size; }
    };
    struct attenuation {
      constexpr static unsigned const Shape[3] = {6, 2, 9};
      constexpr static unsigned const Size = 72;
      constexpr static unsigned size() { return Size; }
    };
    struct choose {
      constexpr static unsigned const Shape[2] = {9, 15};
      constexpr static unsigned const Size = 15;
      constexpr static unsigned size() { return Size; }
    };
    struct dQ {
      constexpr static unsigned const Shape[][2] = {{4, 9}, {4, 9}};
      constexpr static unsigned const Size[] = {36, 36};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[2];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct evalAtPoints {
      constexpr static unsigned const Shape[2] = {3, 4};
      constexpr static unsigned const Size = 16;
      constexpr static unsigned size() { return Size; }
    };
    struct fMrT {
      constexpr static unsigned const Shape[][2] = {{3, 4}, {3, 4}, {3, 4}, {3, 4}};
      constexpr static unsigned const Size[] = {12, 12, 12, 12};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[4];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct fP {
      constexpr static unsigned const Shape[][2] = {{3, 3}, {3, 3}, {3, 3}};
      constexpr static unsigned const Size[] = {9, 9, 9};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[3];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct face {
      constexpr static unsigned const Shape[][2] = {{4, 4}, {4, 4}, {4, 4}, {4, 4}};
      constexpr static unsigned const Size[] = {16, 16, 16, 16};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[4];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct kDivM {
      constexpr static unsigned const Shape[][2] = {{4, 4}, {4, 4}, {4, 4}};
      constexpr static unsigned const Size[] = {3, 3, 3};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[3];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct kDivMT {
      constexpr static unsigned const Shape[][2] = {{4, 4}, {4, 4}, {4, 4}};
      constexpr static unsigned const Size[] = {1, 2, 3};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[3];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct mean {
      constexpr static unsigned const Shape[1] = {4};
      constexpr static unsigned const Size = 4;
      constexpr static unsigned size() { return Size; }
    };
    struct power {
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      template<typename T>
      struct Container {
        T data[2];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct rDivM {
      constexpr static unsigned const Shape[][2] = {{4, 3}, {4, 3}, {4, 3}, {4, 3}};
      constexpr static unsigned const Size[] = {12, 12, 12, 12};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[4];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct rT {
      constexpr static unsigned const Shape[][2] = {{3, 4}, {3, 4}, {3, 4}, {3, 4}};
      constexpr static unsigned const Size[] = {6, 12, 12, 12};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[4];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct scale {
      constexpr static unsigned const Size = 1;
      constexpr static unsigned size() { return Size; }
    };
    struct star {
      constexpr static unsigned const Shape[][2] = {{9, 9}, {9, 9}, {9, 9}};
      constexpr static unsigned const Size[] = {81, 81, 81};
      constexpr static unsigned index(unsigned i0) { return 1*i0; }
      constexpr static unsigned size(unsigned i0) { return Size[index(i0)]; }
      template<typename T>
      struct Container {
        T data[3];
        Container() : data{} {}
        T& operator()(unsigned i0) { return data[index(i0)]; }
        T const& operator()(unsigned i0) const { return data[index(i0)]; }
      };
    };
    struct total {
      constexpr static unsigned const Size = 1;
      constexpr static unsigned size() { return Size; }
    };
    struct unit {
      constexpr static unsigned const Shape[1] = {9};
      constexpr static unsigned const Size = 9;
      constexpr static unsigned size() { return Size; }
    };
    struct w {
      constexpr static unsigned const Shape[1] = {2};
      constexpr static unsigned const Size = 2;
      constexpr static unsigned size() { return Size; }
    };
    struct weights {
      constexpr static unsigned const Shape[1] = {3};
      constexpr static unsigned const Size = 3;
      constexpr static unsigned size() { return Size; }
    };
} // namespace tensor
} // namespace waves
#endif
