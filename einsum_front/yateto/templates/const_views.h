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
