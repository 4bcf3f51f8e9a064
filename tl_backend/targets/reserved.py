"""Words that a generated name must not be: OpenCL C has them already, as keywords, types, macros or functions.

Source: The OpenCL C Specification 1.2, sections 6.1, 6.9, 6.10 and 6.12, those of 2.0 and 3.0 with the same subjects,
and C99 6.4.1; `main` must not be a kernel.
"""

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    bool half quad complex imaginary uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t
    image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image3d_t
    global local constant private kernel read_only write_only read_write pipe generic
    asm typeof true false unix linux main
"""

_MACROS = """
    NULL INFINITY NAN HUGE_VAL HUGE_VALF MAXFLOAT CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN SCHAR_MAX
    SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX UINT_MAX ULONG_MAX FP_FAST_FMAF FP_FAST_FMA FP_ILOGB0 FP_ILOGBNAN
    FLT_DIG FLT_MANT_DIG FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX FLT_MAX FLT_MIN FLT_EPSILON
    DBL_DIG DBL_MANT_DIG DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN_10_EXP DBL_MIN_EXP DBL_MAX DBL_MIN DBL_EPSILON
    M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
    M_E_F M_LOG2E_F M_LOG10E_F M_LN2_F M_LN10_F M_PI_F M_PI_2_F M_PI_4_F M_1_PI_F M_2_PI_F M_2_SQRTPI_F M_SQRT2_F
    M_SQRT1_2_F CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE
"""

_FUNCTIONS = """
    get_work_dim get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id get_global_offset
    acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp
    exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10
    log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos
    sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2
    half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt half_tan native_cos native_divide native_exp
    native_exp2 native_exp10 native_log native_log2 native_log10 native_powr native_recip native_rsqrt native_sin
    native_sqrt native_tan
    abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample popcount mad24
    mul24 degrees mix radians step smoothstep sign cross dot distance length normalize fast_distance fast_length
    fast_normalize isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan
    isnormal isordered isunordered signbit any all bitselect select shuffle shuffle2 vec_step printf
    vload2 vload3 vload4 vload8 vload16 vstore2 vstore3 vstore4 vstore8 vstore16 vload_half vstore_half barrier
    mem_fence read_mem_fence write_mem_fence async_work_group_copy async_work_group_strided_copy wait_group_events
    prefetch atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and
    atomic_or atomic_xor atom_add atom_sub atom_xchg atom_inc atom_dec atom_cmpxchg atom_min atom_max atom_and atom_or
    atom_xor read_imagef read_imagei read_imageui write_imagef write_imagei write_imageui get_image_width
    get_image_height get_image_depth get_image_channel_data_type get_image_channel_order get_image_dim
    get_image_array_size ndrange_t
"""

_LATER = """
    atomic_init atomic_store atomic_load atomic_exchange atomic_compare_exchange_strong atomic_compare_exchange_weak
    atomic_fetch_add atomic_fetch_sub atomic_fetch_or atomic_fetch_xor atomic_fetch_and atomic_fetch_min
    atomic_fetch_max atomic_flag_test_and_set atomic_flag_clear atomic_work_item_fence
    atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_flag atomic_intptr_t
    atomic_uintptr_t atomic_size_t atomic_ptrdiff_t memory_order memory_scope
    memory_order_relaxed memory_order_acquire memory_order_release memory_order_acq_rel memory_order_seq_cst
    memory_scope_work_item memory_scope_sub_group memory_scope_work_group memory_scope_device
    memory_scope_all_svm_devices memory_scope_all_devices ATOMIC_VAR_INIT ATOMIC_FLAG_INIT
    get_enqueued_local_size get_global_linear_id get_local_linear_id get_sub_group_size get_max_sub_group_size
    get_num_sub_groups get_enqueued_num_sub_groups get_sub_group_id get_sub_group_local_id sub_group_barrier
    work_group_barrier get_fence to_global to_local to_private queue_t clk_event_t clk_profiling_info reserve_id_t
    kernel_enqueue_flags_t enqueue_kernel enqueue_marker get_default_queue retain_event release_event
    create_user_event is_valid_event set_user_event_status capture_event_profiling_info ndrange_1D ndrange_2D
    ndrange_3D get_kernel_work_group_size get_kernel_preferred_work_group_size_multiple read_pipe write_pipe
    reserve_read_pipe reserve_write_pipe commit_read_pipe commit_write_pipe get_pipe_num_packets
    get_pipe_max_packets is_valid_reserve_id image2d_depth_t image2d_array_depth_t image2d_msaa_t
    image2d_array_msaa_t image2d_msaa_depth_t image2d_array_msaa_depth_t read_imageh write_imageh
    get_image_num_samples get_image_num_mip_levels
    CLK_IMAGE_MEM_FENCE M_E_H uintmax_t intmax_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
    cl_mem_fence_flags offsetof va_list FLT_EVAL_METHOD
"""
"""Of OpenCL C 2.0 and 3.0: compilers know them whatever version they are told."""

_UNDERSCORES = """
    _Bool _Complex _Imaginary _Noreturn _Static_assert _Alignas _Alignof _Atomic _Generic _Thread_local
    __FILE__ __LINE__ __OPENCL_VERSION__ __OPENCL_C_VERSION__ __ENDIAN_LITTLE__ __IMAGE_SUPPORT__
    __FAST_RELAXED_MATH__ __STDC_VERSION__ __COUNTER__ __clang__ __GNUC__ __x86_64__
"""

_SCOPES = "work_group sub_group"
_COLLECTIVES = """
    all any broadcast reduce_add reduce_min reduce_max scan_exclusive_add scan_exclusive_min scan_exclusive_max
    scan_inclusive_add scan_inclusive_min scan_inclusive_max reserve_read_pipe reserve_write_pipe commit_read_pipe
    commit_write_pipe shuffle shuffle_xor shuffle_up shuffle_down
"""

_VECTOR_ELEMENTS = "char uchar short ushort int uint long ulong float double half bool quad"
_VECTOR_WIDTHS = (2, 3, 4, 8, 16)
_ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")


def _words() -> frozenset[str]:
    scalars = _VECTOR_ELEMENTS.split()
    vectors = {f"{element}{width}" for element in scalars for width in _VECTOR_WIDTHS}
    types = (*scalars, *vectors)
    matrices = {
        f"{element}{rows}x{columns}"
        for element in ("float", "double")
        for rows in _VECTOR_WIDTHS
        for columns in _VECTOR_WIDTHS
    }
    reinterpretations = {f"as_{type_}" for type_ in (*types, "size_t", "ptrdiff_t", "intptr_t", "uintptr_t")}
    conversions = {f"convert_{type_}{sat}{rte}" for type_ in types for sat in ("", "_sat") for rte in _ROUNDINGS}
    halves = {
        f"v{verb}{a}_half{width}{rounding}"
        for verb in ("load", "store")
        for a in ("", "a")
        for width in ("", *_VECTOR_WIDTHS)
        for rounding in (_ROUNDINGS if verb == "store" else ("",))
    }
    collectives = {f"{scope}_{word}" for scope in _SCOPES.split() for word in _COLLECTIVES.split()}
    later = set(_LATER.split())
    explicit = {f"{word}_explicit" for word in later if word.startswith(("atomic_", "atomic_flag"))}
    keywords = {*_KEYWORDS.split(), "attribute", "func", "const", "alignof", "extension"}
    spelled = {f"__{word}{end}" for word in keywords for end in ("", "__")}
    words = {*_KEYWORDS.split(), *_MACROS.split(), *_FUNCTIONS.split(), *_UNDERSCORES.split(), *spelled}
    return frozenset(
        words | vectors | matrices | reinterpretations | conversions | halves | collectives | later | explicit
    )


RESERVED = _words()
