"""Polynomials for functions of entries, and where they hold.

Each is the one of its degree with the smallest largest error that counts, found with Remez' exchange in 200 bits and
then rounded, number by number. The lowest power comes first.

    exp(r)    = 1 + r + r² `exp`(r)                          for |r| <= log(2) / 2;  error 2^-64 in f64, 2^-34 in f32
    erf(a)    = a `erf_near`(a²)                             for 0 <= a <= 1;        relative 2^-56.9, 2^-29.6
    erf(a)    = 1 - exp(`erf_far`(a))                        for a from 1 on;        2^-59.5, 2^-35.5
    log(1+f)  = f - f²/2 + s (f²/2 + s² `log`(s²))           with s = f / (2 + f);   2^-58, 2^-36
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numbers:
    """What depends on the type.

    rounding        added to a number, the sum of which has no room behind the point
    log2_high       the first bits of log(2), whose product with any exponent is exact
    log2_low        what is missing from them
    largest         `exp` of this is infinite
    smallest        `exp` of this is 0
    one, far        `erf` of the one and `tanh` of the other are 1 to the last bit
    tiny            below this, `tanh` of x is x to the last bit
    normal          the smallest number with all its bits
    lifted          the power of two that makes all others such
    """

    rounding: float
    log2_high: float
    log2_low: float
    largest: float
    smallest: float
    one: float
    far: float
    tiny: float
    normal: float
    lifted: int
    exp: tuple[float, ...]
    erf_near: tuple[float, ...]
    erf_far: tuple[float, ...]
    log: tuple[float, ...]


F64 = Numbers(
    rounding=1.5 * 2.0**52,
    log2_high=0.6931471803691238,
    log2_low=1.9082149292705877e-10,
    largest=710.0,
    smallest=-746.0,
    one=6.0,
    far=20.0,
    tiny=2.0**-28,
    normal=2.0**-1022,
    lifted=54,
    exp=(
        0.5,
        0.16666666666666682,
        0.04166666666666672,
        0.008333333333317105,
        0.0013888888888859217,
        0.0001984126989630584,
        2.480158737257505e-05,
        2.7557234883219786e-06,
        2.7557234176483475e-07,
        2.5112041736709404e-08,
        2.0926727165877713e-09,
    ),
    erf_near=(
        1.1283791670955126,
        -0.3761263890318352,
        0.11283791670944185,
        -0.026866170643111375,
        0.00522397760611762,
        -0.0008548325929271576,
        0.00012055293575585293,
        -1.492471227639966e-05,
        1.644713125315939e-06,
        -1.6206311317613116e-07,
        1.3710969859773255e-08,
        -7.77944891324782e-10,
    ),
    erf_far=(
        -1.8438785014972396e-07,
        -1.1283772823667788,
        -0.6366287038951542,
        -0.10274664205143527,
        0.01907695411442194,
        0.00028223053645690756,
        -0.0017709274851046574,
        0.0006428353563673363,
        -4.5956942756095614e-05,
        -6.97499901245147e-05,
        4.4769756972938614e-05,
        -1.6421434144371468e-05,
        4.301766893082576e-06,
        -8.451896156487914e-07,
        1.2483016573788987e-07,
        -1.3522120803479397e-08,
        1.0170356334479061e-09,
        -4.7516309464716844e-11,
        1.0390269467187596e-12,
    ),
    log=(
        0.6666666666666731,
        0.3999999999943344,
        0.2857142873902022,
        0.2222219886173376,
        0.1818355155236537,
        0.15314332266736175,
        0.14793503269067787,
    ),
)

F32 = Numbers(
    rounding=1.5 * 2.0**23,
    log2_high=0.693115234375,
    log2_low=3.194618329871446e-05,
    largest=89.0,
    smallest=-105.0,
    one=4.0,
    far=10.0,
    tiny=2.0**-13,
    normal=2.0**-126,
    lifted=25,
    exp=(
        0.5,
        0.1666666716337204,
        0.04166627302765846,
        0.008333264850080013,
        0.001394580933265388,
        0.0001991820172406733,
    ),
    erf_near=(
        1.1283791065216064,
        -0.3761262595653534,
        0.1128358542919159,
        -0.026853810995817184,
        0.00518832728266716,
        -0.0008010189048945904,
        7.853843999328092e-05,
    ),
    erf_far=(
        0.0001880294003058225,
        -1.1295783519744873,
        -0.6332200169563293,
        -0.10841847211122513,
        0.02520819380879402,
        -0.0042045386508107185,
        0.00044133179471828043,
        -2.1686466425308026e-05,
    ),
    log=(
        0.6666666269302368,
        0.4000033140182495,
        0.285374253988266,
        0.23580504953861237,
    ),
)
