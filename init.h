#ifndef WAVES_INIT_H_
#define WAVES_INIT_H_
#include "tensor.h"
#include "yateto.h"
// Views of constant memory, with the `yateto.h` of any year: until February 2026 its views had no parameter for that.
#ifndef EINSUM_FRONT_CONST_VIEWS_H
#define EINSUM_FRONT_CONST_VIEWS_H
namespace einsum_front {
template <template <unsigned, typename, typename, bool> class View, unsigned rank, typename Real>
auto const_dense_view(int) -> View<rank, Real, unsigned, true>;
template <template <unsigned, typename, typename> class View, unsigned rank, typename Real>
auto const_dense_view(long) -> View<rank, Real const, unsigned>;
template <template <typename, typename, bool> class View, typename Real>
auto const_csc_view(int) -> View<Real, unsigned, true>;
template <template <typename, typename> class View, typename Real>
auto const_csc_view(long) -> View<Real const, unsigned>;
} // namespace einsum_front
#endif
namespace waves {
namespace init {
    struct AminusT : tensor::AminusT {
      constexpr static unsigned const Start[] = {0, 0};
      constexpr static unsigned const Stop[] = {9, 9};
      struct view {
        using type = ::yateto::DenseTensorView<2,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
        static type create(double* values) { return type(values, {9, 9}, {0, 0}, {9, 9}); }
        static type_const create(double const* values) { return type_const(values, {9, 9}, {0, 0}, {9, 9}); }
      };
    };
    struct AplusT : tensor::AplusT {
      constexpr static unsigned const Start[] = {0, 0};
      constexpr static unsigned const Stop[] = {9, 9};
      struct view {
        using type = ::yateto::DenseTensorView<2,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
        static type create(double* values) { return type(values, {9, 9}, {0, 0}, {9, 9}); }
        static type_const create(double const* values) { return type_const(values, {9, 9}, {0, 0}, {9, 9}); }
      };
    };
    struct I : tensor::I {
      constexpr static unsigned const Start[] = {0, 0};
      constexpr static unsigned const Stop[] = {4, 9};
      struct view {
        using type = ::yateto::DenseTensorView<2,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
        static type create(double* values) { return type(values, {4, 9}, {0, 0}, {4, 9}); }
        static type_const create(double const* values) { return type_const(values, {4, 9}, {0, 0}, {4, 9}); }
      };
    };
    struct Q : tensor::Q {
      constexpr static unsigned const Start[] = {0, 0};
      constexpr static unsigned const Stop[] = {4, 9};
      struct view {
        using type = ::yateto::DenseTensorView<2,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
        static type create(double* values) { return type(values, {4, 9}, {0, 0}, {4, 9}); }
        static type_const create(double const* values) { return type_const(values, {4, 9}, {0, 0}, {4, 9}); }
      };
    };
    struct Qane : tensor::Qane {
      constexpr static unsigned const Start[] = {0, 0, 0};
      constexpr static unsigned const Stop[] = {4, 6, 2};
      struct view {
        using type = ::yateto::DenseTensorView<3,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,3,double>(0));
        static type create(double* values) { return type(values, {4, 6, 2}, {0, 0, 0}, {4, 6, 2}); }
        static type_const create(double const* values) { return type_const(values, {4, 6, 2}, {0, 0, 0}, {4, 6, 2}); }
      };
    };
    struct atPoints : tensor::atPoints {
      constexpr static unsigned const Start[] = {0, 0};
      constexpr static unsigned const Stop[] = {4, 9};
      struct view {
        using type = ::yateto::DenseTensorView<2,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
        static type create(double* values) { return type(values, {3, 9}, {0, 0}, {4, 9}); }
        static type_const create(double const* values) { return type_const(values, {3, 9}, {0, 0}, {4, 9}); }
      };
    };
    struct attenuation : tensor::attenuation {
      constexpr static unsigned const Start[] = {0, 0, 0};
      constexpr static unsigned const Stop[] = {6, 2, 6};
      struct view {
        using type = ::yateto::DenseTensorView<3,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,3,double>(0));
        static type create(double* values) { return type(values, {6, 2, 9}, {0, 0, 0}, {6, 2, 6}); }
        static type_const create(double const* values) { return type_const(values, {6, 2, 9}, {0, 0, 0}, {6, 2, 6}); }
      };
    };
    struct choose : tensor::choose {
      constexpr static unsigned const RowInd[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5};
      constexpr static unsigned const ColPtr[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
      static double const Values[];
      struct view {
        using type = ::yateto::CSCMatrixView<double,unsigned>;
        using type_const = decltype(::einsum_front::const_csc_view<::yateto::CSCMatrixView,double>(0));
        static type create(double* values) { return type(values, {9, 15}, RowInd, ColPtr); }
        static type_const create(double const* values) { return type_const(values, {9, 15}, RowInd, ColPtr); }
      };
    };
    struct dQ : tensor::dQ {
      constexpr static unsigned const Start0[] = {0, 0};
      constexpr static unsigned const Stop0[] = {4, 9};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {4, 9};
      template<unsigned i0> struct view {};
    };
    template<>
    struct dQ::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 9}, {0, 0}, {4, 9}); }
      static type_const create(double const* values) { return type_const(values, {4, 9}, {0, 0}, {4, 9}); }
    };
    template<>
    struct dQ::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 9}, {0, 0}, {4, 9}); }
      static type_const create(double const* values) { return type_const(values, {4, 9}, {0, 0}, {4, 9}); }
    };
    struct evalAtPoints : tensor::evalAtPoints {
      constexpr static unsigned const Start[] = {0, 0};
      constexpr static unsigned const Stop[] = {4, 4};
      static double const Values[];
      struct view {
        using type = ::yateto::DenseTensorView<2,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
        static type create(double* values) { return type(values, {3, 4}, {0, 0}, {4, 4}); }
        static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {4, 4}); }
      };
    };
    struct fMrT : tensor::fMrT {
      constexpr static unsigned const Start0[] = {0, 0};
      constexpr static unsigned const Stop0[] = {3, 4};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {3, 4};
      constexpr static unsigned const Start2[] = {0, 0};
      constexpr static unsigned const Stop2[] = {3, 4};
      constexpr static unsigned const Start3[] = {0, 0};
      constexpr static unsigned const Stop3[] = {3, 4};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const Values3[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct fMrT::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    template<>
    struct fMrT::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    template<>
    struct fMrT::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    template<>
    struct fMrT::view<3> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    struct fP : tensor::fP {
      constexpr static unsigned const Start0[] = {0, 0};
      constexpr static unsigned const Stop0[] = {3, 3};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {3, 3};
      constexpr static unsigned const Start2[] = {0, 0};
      constexpr static unsigned const Stop2[] = {3, 3};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct fP::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 3}, {0, 0}, {3, 3}); }
      static type_const create(double const* values) { return type_const(values, {3, 3}, {0, 0}, {3, 3}); }
    };
    template<>
    struct fP::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 3}, {0, 0}, {3, 3}); }
      static type_const create(double const* values) { return type_const(values, {3, 3}, {0, 0}, {3, 3}); }
    };
    template<>
    struct fP::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 3}, {0, 0}, {3, 3}); }
      static type_const create(double const* values) { return type_const(values, {3, 3}, {0, 0}, {3, 3}); }
    };
    struct face : tensor::face {
      constexpr static unsigned const Start0[] = {0, 0};
      constexpr static unsigned const Stop0[] = {4, 4};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {4, 4};
      constexpr static unsigned const Start2[] = {0, 0};
      constexpr static unsigned const Stop2[] = {4, 4};
      constexpr static unsigned const Start3[] = {0, 0};
      constexpr static unsigned const Stop3[] = {4, 4};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const Values3[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct face::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 0}, {4, 4}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 0}, {4, 4}); }
    };
    template<>
    struct face::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 0}, {4, 4}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 0}, {4, 4}); }
    };
    template<>
    struct face::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 0}, {4, 4}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 0}, {4, 4}); }
    };
    template<>
    struct face::view<3> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 0}, {4, 4}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 0}, {4, 4}); }
    };
    struct kDivM : tensor::kDivM {
      constexpr static unsigned const Start0[] = {1, 0};
      constexpr static unsigned const Stop0[] = {4, 1};
      constexpr static unsigned const Start1[] = {1, 0};
      constexpr static unsigned const Stop1[] = {4, 1};
      constexpr static unsigned const Start2[] = {1, 0};
      constexpr static unsigned const Stop2[] = {4, 1};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct kDivM::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {1, 0}, {4, 1}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {1, 0}, {4, 1}); }
    };
    template<>
    struct kDivM::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {1, 0}, {4, 1}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {1, 0}, {4, 1}); }
    };
    template<>
    struct kDivM::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {1, 0}, {4, 1}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {1, 0}, {4, 1}); }
    };
    struct kDivMT : tensor::kDivMT {
      constexpr static unsigned const Start0[] = {0, 1};
      constexpr static unsigned const Stop0[] = {1, 2};
      constexpr static unsigned const Start1[] = {0, 1};
      constexpr static unsigned const Stop1[] = {1, 3};
      constexpr static unsigned const Start2[] = {0, 1};
      constexpr static unsigned const Stop2[] = {1, 4};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct kDivMT::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 1}, {1, 2}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 1}, {1, 2}); }
    };
    template<>
    struct kDivMT::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 1}, {1, 3}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 1}, {1, 3}); }
    };
    template<>
    struct kDivMT::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 4}, {0, 1}, {1, 4}); }
      static type_const create(double const* values) { return type_const(values, {4, 4}, {0, 1}, {1, 4}); }
    };
    struct mean : tensor::mean {
      constexpr static unsigned const Start[] = {0};
      constexpr static unsigned const Stop[] = {4};
      static double const Values[];
      struct view {
        using type = ::yateto::DenseTensorView<1,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,1,double>(0));
        static type create(double* values) { return type(values, {4}, {0}, {4}); }
        static type_const create(double const* values) { return type_const(values, {4}, {0}, {4}); }
      };
    };
    struct power : tensor::power {
    };
    struct rDivM : tensor::rDivM {
      constexpr static unsigned const Start0[] = {0, 0};
      constexpr static unsigned const Stop0[] = {4, 3};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {4, 3};
      constexpr static unsigned const Start2[] = {0, 0};
      constexpr static unsigned const Stop2[] = {4, 3};
      constexpr static unsigned const Start3[] = {0, 0};
      constexpr static unsigned const Stop3[] = {4, 3};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const Values3[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct rDivM::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 3}, {0, 0}, {4, 3}); }
      static type_const create(double const* values) { return type_const(values, {4, 3}, {0, 0}, {4, 3}); }
    };
    template<>
    struct rDivM::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 3}, {0, 0}, {4, 3}); }
      static type_const create(double const* values) { return type_const(values, {4, 3}, {0, 0}, {4, 3}); }
    };
    template<>
    struct rDivM::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 3}, {0, 0}, {4, 3}); }
      static type_const create(double const* values) { return type_const(values, {4, 3}, {0, 0}, {4, 3}); }
    };
    template<>
    struct rDivM::view<3> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {4, 3}, {0, 0}, {4, 3}); }
      static type_const create(double const* values) { return type_const(values, {4, 3}, {0, 0}, {4, 3}); }
    };
    struct rT : tensor::rT {
      constexpr static unsigned const RowInd0[] = {0, 1, 2, 1, 2, 0};
      constexpr static unsigned const ColPtr0[] = {0, 1, 3, 5, 6};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {3, 4};
      constexpr static unsigned const Start2[] = {0, 0};
      constexpr static unsigned const Stop2[] = {3, 4};
      constexpr static unsigned const Start3[] = {0, 0};
      constexpr static unsigned const Stop3[] = {3, 4};
      static double const Values0[];
      static double const Values1[];
      static double const Values2[];
      static double const Values3[];
      static double const* Values[];
      template<unsigned i0> struct view {};
    };
    template<>
    struct rT::view<0> {
      using type = ::yateto::CSCMatrixView<double,unsigned>;
      using type_const = decltype(::einsum_front::const_csc_view<::yateto::CSCMatrixView,double>(0));
      static type create(double* values) { return type(values, {3, 4}, RowInd0, ColPtr0); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, RowInd0, ColPtr0); }
    };
    template<>
    struct rT::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    template<>
    struct rT::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    template<>
    struct rT::view<3> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {3, 4}, {0, 0}, {3, 4}); }
      static type_const create(double const* values) { return type_const(values, {3, 4}, {0, 0}, {3, 4}); }
    };
    struct scale : tensor::scale {
      struct view {
        using type = ::yateto::DenseTensorView<0,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,0,double>(0));
        static type create(double* values) { return type(values, {}, {}, {}); }
        static type_const create(double const* values) { return type_const(values, {}, {}, {}); }
      };
    };
    struct star : tensor::star {
      constexpr static unsigned const Start0[] = {0, 0};
      constexpr static unsigned const Stop0[] = {9, 9};
      constexpr static unsigned const Start1[] = {0, 0};
      constexpr static unsigned const Stop1[] = {9, 9};
      constexpr static unsigned const Start2[] = {0, 0};
      constexpr static unsigned const Stop2[] = {9, 9};
      template<unsigned i0> struct view {};
    };
    template<>
    struct star::view<0> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {9, 9}, {0, 0}, {9, 9}); }
      static type_const create(double const* values) { return type_const(values, {9, 9}, {0, 0}, {9, 9}); }
    };
    template<>
    struct star::view<1> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {9, 9}, {0, 0}, {9, 9}); }
      static type_const create(double const* values) { return type_const(values, {9, 9}, {0, 0}, {9, 9}); }
    };
    template<>
    struct star::view<2> {
      using type = ::yateto::DenseTensorView<2,double,unsigned>;
      using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,2,double>(0));
      static type create(double* values) { return type(values, {9, 9}, {0, 0}, {9, 9}); }
      static type_const create(double const* values) { return type_const(values, {9, 9}, {0, 0}, {9, 9}); }
    };
    struct total : tensor::total {
      struct view {
        using type = ::yateto::DenseTensorView<0,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,0,double>(0));
        static type create(double* values) { return type(values, {}, {}, {}); }
        static type_const create(double const* values) { return type_const(values, {}, {}, {}); }
      };
    };
    struct unit : tensor::unit {
      constexpr static unsigned const Start[] = {0};
      constexpr static unsigned const Stop[] = {9};
      struct view {
        using type = ::yateto::DenseTensorView<1,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,1,double>(0));
        static type create(double* values) { return type(values, {9}, {0}, {9}); }
        static type_const create(double const* values) { return type_const(values, {9}, {0}, {9}); }
      };
    };
    struct w : tensor::w {
      constexpr static unsigned const Start[] = {0};
      constexpr static unsigned const Stop[] = {2};
      struct view {
        using type = ::yateto::DenseTensorView<1,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,1,double>(0));
        static type create(double* values) { return type(values, {2}, {0}, {2}); }
        static type_const create(double const* values) { return type_const(values, {2}, {0}, {2}); }
      };
    };
    struct weights : tensor::weights {
      constexpr static unsigned const Start[] = {0};
      constexpr static unsigned const Stop[] = {3};
      static double const Values[];
      struct view {
        using type = ::yateto::DenseTensorView<1,double,unsigned>;
        using type_const = decltype(::einsum_front::const_dense_view<::yateto::DenseTensorView,1,double>(0));
        static type create(double* values) { return type(values, {3}, {0}, {3}); }
        static type_const create(double const* values) { return type_const(values, {3}, {0}, {3}); }
      };
    };
} // namespace init
} // namespace waves
#endif
