#ifndef WAVES_SUBROUTINE_H_
#define WAVES_SUBROUTINE_H_
namespace waves {
namespace subroutine {
    void volume(double* Q_, double const* kDivM_0_, double const* kDivM_1_, double const* kDivM_2_, double const* I_, double const* star_0_, double const* star_1_, double const* star_2_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void localFluxAll(double* Q_, double const* I_, double const* face_0_, double const* face_1_, double const* face_2_, double const* face_3_, double const* AplusT_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void derivative(double* I_, double const* star_0_, double const* star_1_, double const* star_2_, double const* dQ_0_, double* dQ_1_, double const* kDivMT_0_, double const* kDivMT_1_, double const* kDivMT_2_, double power_0_, double power_1_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void viscoelastic_attenuate(double* Q_, double const* choose_, double* Qane_, double const* w_, double const* attenuation_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void output_evaluate(double const* Q_, double* atPoints_, double const* scale_, double const* evalAtPoints_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void output_flatten(double const* Q_, double* atPoints_, double const* mean_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void output_sum(double const* Q_, double const* atPoints_, double const* mean_, double* total_, double const* weights_, double const* unit_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void localFlux_0(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_0_, double const* fMrT_0_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void localFlux_1(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_1_, double const* fMrT_1_, double const* prefetch_Q_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void localFlux_2(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_2_, double const* fMrT_2_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void localFlux_3(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_3_, double const* fMrT_3_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_0(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_1(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_2(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_3(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_4(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_5(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_6(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_7(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_8(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_9(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_10(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_11(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_12(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_13(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_14(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_15(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_16(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_17(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_18(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_19(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_20(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_21(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_22(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_23(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_24(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_25(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_26(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_27(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_28(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_29(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_30(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_31(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_32(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_33(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_34(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_35(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_36(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_37(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_38(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_39(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_40(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_41(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_42(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_43(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_44(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_45(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_46(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    void neighboringFlux_47(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_);
} // namespace subroutine
} // namespace waves
#endif
