"""The named operations of linalg: their iterators, modes and operations on numbers, as MLIR defines them."""

CONTRACTIONS = {
    "matmul": ("mnk", "mk,kn->mn"),
    "matmul_transpose_a": ("mnk", "km,kn->mn"),
    "matmul_transpose_b": ("mnk", "mk,nk->mn"),
    "batch_matmul": ("bmnk", "bmk,bkn->bmn"),
    "batch_matmul_transpose_a": ("bmnk", "bkm,bkn->bmn"),
    "batch_matmul_transpose_b": ("bmnk", "bmk,bnk->bmn"),
    "batch_reduce_matmul": ("bmnk", "bmk,bkn->mn"),
    "matvec": ("mn", "mn,n->m"),
    "vecmat": ("nm", "m,mn->n"),
    "batch_matvec": ("bmk", "bmk,bk->bm"),
    "batch_vecmat": ("bnk", "bk,bkn->bn"),
    "dot": ("m", "m,m->"),
    "mmt4d": ("mnkabc", "mkac,nkbc->mnab"),
    "batch_mmt4d": ("zmnkabc", "zmkac,znkbc->zmnab"),
}
"""Named contractions: their iterators in order, and the modes of inputs and output."""

WITH_MAPS = frozenset({"matmul", "batch_matmul", "batch_reduce_matmul", "contract", "elementwise", "generic"})
"""Operations that say their maps themselves, or may."""

CONVOLUTIONS = {
    "conv_1d": ("xX", "x:X,X->x"),
    "conv_2d": ("yxYX", "y:Y x:X,Y X->y x"),
    "conv_3d": ("zyxZYX", "z:Z y:Y x:X,Z Y X->z y x"),
    "conv_1d_nwc_wcf": ("nxfXc", "n x:X c,X c f->n x f"),
    "conv_1d_ncw_fcw": ("nfxcX", "n c x:X,f c X->n f x"),
    "conv_2d_nhwc_hwcf": ("nyxfYXc", "n y:Y x:X c,Y X c f->n y x f"),
    "conv_2d_nhwc_fhwc": ("nyxfYXc", "n y:Y x:X c,f Y X c->n y x f"),
    "conv_2d_nchw_fchw": ("nfyxcYX", "n c y:Y x:X,f c Y X->n f y x"),
    "conv_2d_ngchw_fgchw": ("ngfyxcYX", "n g c y:Y x:X,f g c Y X->n g f y x"),
    "conv_2d_ngchw_gfchw": ("ngfyxcYX", "n g c y:Y x:X,g f c Y X->n g f y x"),
    "conv_3d_ndhwc_dhwcf": ("nzyxfZYXc", "n z:Z y:Y x:X c,Z Y X c f->n z y x f"),
    "conv_3d_ncdhw_fcdhw": ("nfzyxcZYX", "n c z:Z y:Y x:X,f c Z Y X->n f z y x"),
    "depthwise_conv_1d_nwc_wc": ("nxcX", "n x:X c,X c->n x c"),
    "depthwise_conv_1d_ncw_cw": ("nxcX", "n c x:X,c X->n c x"),
    "depthwise_conv_1d_nwc_wcm": ("nxcmX", "n x:X c,X c m->n x c m"),
    "depthwise_conv_2d_nhwc_hwc": ("nyxcYX", "n y:Y x:X c,Y X c->n y x c"),
    "depthwise_conv_2d_nchw_chw": ("nyxcYX", "n c y:Y x:X,c Y X->n c y x"),
    "depthwise_conv_2d_nhwc_hwcm": ("nyxcmYX", "n y:Y x:X c,Y X c m->n y x c m"),
    "depthwise_conv_3d_ndhwc_dhwc": ("nzyxZYXc", "n z:Z y:Y x:X c,Z Y X c->n z y x c"),
    "depthwise_conv_3d_ncdhw_cdhw": ("nzyxZYXc", "n c z:Z y:Y x:X,c Z Y X->n c z y x"),
    "depthwise_conv_3d_ndhwc_dhwcm": ("nzyxmZYXc", "n z:Z y:Y x:X c,Z Y X c m->n z y x c m"),
    "pooling_nhwc_sum": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nhwc_max": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nhwc_min": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nhwc_max_unsigned": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nhwc_min_unsigned": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nchw_sum": ("ncyxYX", "n c y:Y x:X,Y X->n c y x"),
    "pooling_nchw_max": ("ncyxYX", "n c y:Y x:X,Y X->n c y x"),
    "pooling_nwc_sum": ("nxcX", "n x:X c,X->n x c"),
    "pooling_nwc_max": ("nxcX", "n x:X c,X->n x c"),
    "pooling_nwc_min": ("nxcX", "n x:X c,X->n x c"),
    "pooling_nwc_max_unsigned": ("nxcX", "n x:X c,X->n x c"),
    "pooling_nwc_min_unsigned": ("nxcX", "n x:X c,X->n x c"),
    "pooling_ncw_sum": ("ncxX", "n c x:X,X->n c x"),
    "pooling_ncw_max": ("ncxX", "n c x:X,X->n c x"),
    "pooling_ndhwc_sum": ("nzyxcZYX", "n z:Z y:Y x:X c,Z Y X->n z y x c"),
    "pooling_ndhwc_max": ("nzyxcZYX", "n z:Z y:Y x:X c,Z Y X->n z y x c"),
    "pooling_ndhwc_min": ("nzyxcZYX", "n z:Z y:Y x:X c,Z Y X->n z y x c"),
}
"""Convolutions and poolings: `x:X` is position `x * stride + X * dilation`; capital letters walk the window."""

QUANTIZED = {
    "quantized_matmul": "matmul",
    "quantized_batch_matmul": "batch_matmul",
    "conv_2d_nhwc_hwcf_q": "conv_2d_nhwc_hwcf",
    "conv_2d_nhwc_fhwc_q": "conv_2d_nhwc_fhwc",
    "conv_2d_ngchw_gfchw_q": "conv_2d_ngchw_gfchw",
    "conv_3d_ndhwc_dhwcf_q": "conv_3d_ndhwc_dhwcf",
    "depthwise_conv_2d_nhwc_hwc_q": "depthwise_conv_2d_nhwc_hwc",
    "depthwise_conv_2d_nhwc_hwcm_q": "depthwise_conv_2d_nhwc_hwcm",
}
"""Products and convolutions from whose inputs a number is subtracted, which is an input as well; and those without."""

UNARY = {
    "exp": "math.exp",
    "log": "math.log",
    "abs": "math.absf",
    "ceil": "math.ceil",
    "floor": "math.floor",
    "negf": "arith.negf",
    "round": "math.round",
    "sqrt": "math.sqrt",
    "rsqrt": "math.rsqrt",
    "tanh": "math.tanh",
    "erf": "math.erf",
    "reciprocal": "",
    "square": "",
}
"""Elementwise operations on one tensor, and the operation on numbers; `reciprocal` and `square` are made of others."""

BINARY = {
    "add": "arith.addf",
    "sub": "arith.subf",
    "mul": "arith.mulf",
    "div": "arith.divf",
    "max": "arith.maximumf",
    "min": "arith.minimumf",
    "max_signed": "arith.maximumf",
    "min_signed": "arith.minimumf",
    "powf": "math.powf",
}
"""Elementwise operations on two tensors, of real numbers where integers have others."""

BINARY_OF_INTEGERS = {"div_unsigned": "arith.divui", "max_unsigned": "arith.maxui", "min_unsigned": "arith.minui"}
"""Those of integers without a sign."""

OF_INTEGERS = {
    "arith.addf": "arith.addi",
    "arith.subf": "arith.subi",
    "arith.mulf": "arith.muli",
    "arith.divf": "arith.divsi",
    "arith.maximumf": "arith.maxsi",
    "arith.minimumf": "arith.minsi",
}
"""The operations on integers in the place of those on real numbers."""

OF_COMPLEX = {f"arith.{word}f": f"complex.{word}" for word in ("add", "sub", "mul", "div", "neg")}
"""The operations on complex numbers in the place of those on real numbers."""

OF_BOOLEANS = {"arith.addf": "arith.ori", "arith.mulf": "arith.andi", "arith.maximumf": "arith.ori"}
OF_UNSIGNED = {"arith.maxsi": "arith.maxui", "arith.minsi": "arith.minui"}

ELEMENTWISE = frozenset({*UNARY, *BINARY, "select"})
KINDS = ELEMENTWISE - {"max", "min"} | BINARY_OF_INTEGERS.keys()
"""What `linalg.elementwise` does."""

STRUCTURED = frozenset(
    {"generic", "contract", "elementwise", "reduce", "map", "fill", "copy", "transpose", "broadcast"}
    | set(CONTRACTIONS)
    | set(CONVOLUTIONS)
    | set(QUANTIZED)
    | (ELEMENTWISE - {"max_signed", "min_signed"})
    | {"div_unsigned"}
)
"""The structured operations that there are, without `linalg.`."""
