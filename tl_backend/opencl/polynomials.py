"""Polynomials for functions of entries, and where they hold.

Each is the one of its degree with the smallest largest error that counts, found with Remez' exchange in 200 bits and
then rounded, number by number. The lowest power comes first.

    exp(r)    = 1 + r + r² `exp`(r)                          for |r| <= log(2) / 2;  error 2^-64 in f64, 2^-34 in f32
    erf(a)    = 1 - exp(a `erf`(a))                          for a from 0 on;        relative 2^-57.5, 2^-31.2
    log(1+f)  = f - f²/2 + s (f²/2 + s² `log`(s²))           with s = f / (2 + f);   2^-58, 2^-36
"""

from einsum_front.core.dataclass import dataclass


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
    erf: tuple[float, ...]
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
    erf=(
        -1.1283791670955126,
        -0.6366197723675836,
        -0.10277260330178876,
        0.019128447005070336,
        0.00020919469484292902,
        -0.0016962063857504305,
        0.0005901255529312235,
        -2.5878604447282278e-05,
        -6.449186033632652e-05,
        2.972404503619474e-05,
        -3.4072636520742766e-06,
        -2.8351426859921813e-06,
        1.7415502928981572e-06,
        -3.3636742024963e-07,
        -1.371798661761482e-07,
        1.4176051325345749e-07,
        -6.5732781882279e-08,
        2.0962387385478233e-08,
        -4.997629330045559e-09,
        9.082068396205828e-10,
        -1.2483852257602435e-10,
        1.2610728275887583e-11,
        -8.845375097486567e-13,
        3.850438520003945e-14,
        -7.834011225507792e-16,
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
    erf=(
        -1.128379225730896,
        -0.6366198062896729,
        -0.10277127474546432,
        0.019117696210741997,
        0.0002530599886085838,
        -0.0017993528163060546,
        0.0007406853255815804,
        -0.0001674808154348284,
        2.1354586351662874e-05,
        -1.1933003634112538e-06,
    ),
    log=(
        0.6666666269302368,
        0.4000033140182495,
        0.285374253988266,
        0.23580504953861237,
    ),
)
