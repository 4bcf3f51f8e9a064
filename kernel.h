#ifndef WAVES_KERNEL_H_
#define WAVES_KERNEL_H_
#include <cmath>
#include <cstdint>
#include <limits>
#include "yateto.h"
#include "tensor.h"
namespace waves {
namespace kernel {
    struct volume {
      constexpr static unsigned long const NonZeroFlops = 225;
      constexpr static unsigned long const HardwareFlops = 567;
      constexpr static unsigned long const InboundConstBytes = 72;
      constexpr static unsigned long const InboundBytes = 2232;
      constexpr static unsigned long const OutboundBytes = 288;
      constexpr static unsigned long const TmpMemRequiredInBytes = 72;
      constexpr static unsigned long const TmpMaxMemRequiredInBytes = 72;

      double const* I{};
      double* Q{};
      tensor::kDivM::Container<double const*> kDivM;
      tensor::star::Container<double const*> star;

      constexpr static unsigned long nonZeroFlops() {
        return NonZeroFlops;
      }
      constexpr static unsigned long hardwareFlops() {
        return HardwareFlops;
      }
      constexpr static unsigned long inboundConstBytes() {
        return InboundConstBytes;
      }
      constexpr static unsigned long inboundBytes() {
        return InboundBytes;
      }
      constexpr static unsigned long outboundBytes() {
        return OutboundBytes;
      }
      constexpr static unsigned long tmpMemRequiredInBytes() {
        return TmpMemRequiredInBytes;
      }
      void execute();
    };
} // namespace kernel
} // namespace waves
namespace waves {
namespace kernel {
    struct localFluxAll {
      constexpr static unsigned long const NonZeroFlops = 1494;
      constexpr static unsigned long const HardwareFlops = 1764;
      constexpr static unsigned long const InboundConstBytes = 512;
      constexpr static unsigned long const InboundBytes = 936;
      constexpr static unsigned long const OutboundBytes = 288;
      constexpr static unsigned long const TmpMemRequiredInBytes = 288;
      constexpr static unsigned long const TmpMaxMemRequiredInBytes = 288;

      double const* AplusT{};
      double const* I{};
      double* Q{};
      tensor::face::Container<double const*> face;

      constexpr static unsigned long nonZeroFlops() {
        return NonZeroFlops;
      }
      constexpr static unsigned long hardwareFlops() {
        return HardwareFlops;
      }
      constexpr static unsigned long inboundConstBytes() {
        return InboundConstBytes;
      }
      constexpr static unsigned long inboundBytes() {
        return InboundBytes;
      }
      constexpr static unsigned long outboundBytes() {
        return OutboundBytes;
      }
      constexpr static unsigned long tmpMemRequiredInBytes() {
        return TmpMemRequiredInBytes;
      }
      void execute();
    };
} // namespace kernel
} // namespace waves
namespace waves {
namespace kernel {
    struct derivative {
      constexpr static unsigned long const NonZeroFlops = 270;
      constexpr static unsigned long const HardwareFlops = 612;
      constexpr static unsigned long const InboundConstBytes = 48;
      constexpr static unsigned long const InboundBytes = 2232;
      constexpr static unsigned long const OutboundBytes = 576;
      constexpr static unsigned long const TmpMemRequiredInBytes = 72;
      constexpr static unsigned long const TmpMaxMemRequiredInBytes = 72;

      tensor::power::Container<double> power;
      double* I{};
      tensor::dQ::Container<double*> dQ;
      tensor::kDivMT::Container<double const*> kDivMT;
      tensor::star::Container<double const*> star;

      constexpr static unsigned long nonZeroFlops() {
        return NonZeroFlops;
      }
      constexpr static unsigned long hardwareFlops() {
        return HardwareFlops;
      }
      constexpr static unsigned long inboundConstBytes() {
        return InboundConstBytes;
      }
      constexpr static unsigned long inboundBytes() {
        return InboundBytes;
      }
      constexpr static unsigned long outboundBytes() {
        return OutboundBytes;
      }
      constexpr static unsigned long tmpMemRequiredInBytes() {
        return TmpMemRequiredInBytes;
      }
      void execute();
    };
} // namespace kernel
} // namespace waves
namespace waves {
namespace viscoelastic {
namespace kernel {
      struct attenuate {
        constexpr static unsigned long const NonZeroFlops = 204;
        constexpr static unsigned long const HardwareFlops = 1576;
        constexpr static unsigned long const InboundConstBytes = 120;
        constexpr static unsigned long const InboundBytes = 592;
        constexpr static unsigned long const OutboundBytes = 672;
        constexpr static unsigned long const TmpMemRequiredInBytes = 480;
        constexpr static unsigned long const TmpMaxMemRequiredInBytes = 480;

        double* Q{};
        double* Qane{};
        double const* attenuation{};
        double const* choose{};
        double const* w{};

        constexpr static unsigned long nonZeroFlops() {
          return NonZeroFlops;
        }
        constexpr static unsigned long hardwareFlops() {
          return HardwareFlops;
        }
        constexpr static unsigned long inboundConstBytes() {
          return InboundConstBytes;
        }
        constexpr static unsigned long inboundBytes() {
          return InboundBytes;
        }
        constexpr static unsigned long outboundBytes() {
          return OutboundBytes;
        }
        constexpr static unsigned long tmpMemRequiredInBytes() {
          return TmpMemRequiredInBytes;
        }
        void execute();
      };
} // namespace kernel
} // namespace viscoelastic
} // namespace waves
namespace waves {
namespace output {
namespace kernel {
      struct evaluate {
        constexpr static unsigned long const NonZeroFlops = 87;
        constexpr static unsigned long const HardwareFlops = 201;
        constexpr static unsigned long const InboundConstBytes = 128;
        constexpr static unsigned long const InboundBytes = 296;
        constexpr static unsigned long const OutboundBytes = 288;
        constexpr static unsigned long const TmpMemRequiredInBytes = 96;
        constexpr static unsigned long const TmpMaxMemRequiredInBytes = 96;

        double const* Q{};
        double* atPoints{};
        double const* evalAtPoints{};
        double const* scale{};

        constexpr static unsigned long nonZeroFlops() {
          return NonZeroFlops;
        }
        constexpr static unsigned long hardwareFlops() {
          return HardwareFlops;
        }
        constexpr static unsigned long inboundConstBytes() {
          return InboundConstBytes;
        }
        constexpr static unsigned long inboundBytes() {
          return InboundBytes;
        }
        constexpr static unsigned long outboundBytes() {
          return OutboundBytes;
        }
        constexpr static unsigned long tmpMemRequiredInBytes() {
          return TmpMemRequiredInBytes;
        }
        void execute();
      };
} // namespace kernel
} // namespace output
} // namespace waves
namespace waves {
namespace output {
namespace kernel {
      struct flatten {
        constexpr static unsigned long const NonZeroFlops = 63;
        constexpr static unsigned long const HardwareFlops = 63;
        constexpr static unsigned long const InboundConstBytes = 32;
        constexpr static unsigned long const InboundBytes = 288;
        constexpr static unsigned long const OutboundBytes = 288;
        constexpr static unsigned long const TmpMemRequiredInBytes = 72;
        constexpr static unsigned long const TmpMaxMemRequiredInBytes = 72;

        double const* Q{};
        double* atPoints{};
        double const* mean{};

        constexpr static unsigned long nonZeroFlops() {
          return NonZeroFlops;
        }
        constexpr static unsigned long hardwareFlops() {
          return HardwareFlops;
        }
        constexpr static unsigned long inboundConstBytes() {
          return InboundConstBytes;
        }
        constexpr static unsigned long inboundBytes() {
          return InboundBytes;
        }
        constexpr static unsigned long outboundBytes() {
          return OutboundBytes;
        }
        constexpr static unsigned long tmpMemRequiredInBytes() {
          return TmpMemRequiredInBytes;
        }
        void execute();
      };
} // namespace kernel
} // namespace output
} // namespace waves
namespace waves {
namespace output {
namespace kernel {
      struct sum {
        constexpr static unsigned long const NonZeroFlops = 146;
        constexpr static unsigned long const HardwareFlops = 146;
        constexpr static unsigned long const InboundConstBytes = 56;
        constexpr static unsigned long const InboundBytes = 648;
        constexpr static unsigned long const OutboundBytes = 8;
        constexpr static unsigned long const TmpMemRequiredInBytes = 288;
        constexpr static unsigned long const TmpMaxMemRequiredInBytes = 288;

        double const* Q{};
        double const* atPoints{};
        double const* mean{};
        double* total{};
        double const* unit{};
        double const* weights{};

        constexpr static unsigned long nonZeroFlops() {
          return NonZeroFlops;
        }
        constexpr static unsigned long hardwareFlops() {
          return HardwareFlops;
        }
        constexpr static unsigned long inboundConstBytes() {
          return InboundConstBytes;
        }
        constexpr static unsigned long inboundBytes() {
          return InboundBytes;
        }
        constexpr static unsigned long outboundBytes() {
          return OutboundBytes;
        }
        constexpr static unsigned long tmpMemRequiredInBytes() {
          return TmpMemRequiredInBytes;
        }
        void execute();
      };
} // namespace kernel
} // namespace output
} // namespace waves
namespace waves {
namespace kernel {
    struct localFlux {
      constexpr static unsigned long const NonZeroFlops[] = {648, 648, 792, 756};
      constexpr static unsigned long const HardwareFlops[] = {864, 864, 864, 864};
      constexpr static unsigned long const InboundConstBytes[] = {192, 192, 192, 192};
      constexpr static unsigned long const InboundBytes[] = {936, 936, 936, 936};
      constexpr static unsigned long const OutboundBytes[] = {288, 288, 288, 288};
      constexpr static unsigned long const TmpMemRequiredInBytes[] = {432, 432, 432, 432};
      constexpr static unsigned long const TmpMaxMemRequiredInBytes = 432;

      double const* AplusT{};
      double const* I{};
      double* Q{};
      tensor::fMrT::Container<double const*> fMrT;
      tensor::rDivM::Container<double const*> rDivM;

      struct Prefetch {
        double const* I{};
        double const* Q{};
      };
      Prefetch _prefetch;

      constexpr static unsigned long nonZeroFlops(unsigned i0) {
        return NonZeroFlops[1*i0];
      }
      constexpr static unsigned long hardwareFlops(unsigned i0) {
        return HardwareFlops[1*i0];
      }
      constexpr static unsigned long inboundConstBytes(unsigned i0) {
        return InboundConstBytes[1*i0];
      }
      constexpr static unsigned long inboundBytes(unsigned i0) {
        return InboundBytes[1*i0];
      }
      constexpr static unsigned long outboundBytes(unsigned i0) {
        return OutboundBytes[1*i0];
      }
      constexpr static unsigned long tmpMemRequiredInBytes(unsigned i0) {
        return TmpMemRequiredInBytes[1*i0];
      }
      void execute0();
      void execute1();
      void execute2();
      void execute3();
      using member_function_ptr = void (localFlux::*)();
      constexpr static member_function_ptr ExecutePtrs[] = {&localFlux::execute0, &localFlux::execute1, &localFlux::execute2, &localFlux::execute3};
      constexpr static member_function_ptr findExecute(unsigned i0) {
        return ExecutePtrs[1*i0];
      }
      inline void execute(unsigned i0) {
        (this->*findExecute(i0))();
      }
    };
} // namespace kernel
} // namespace waves
namespace waves {
namespace kernel {
    struct neighboringFlux {
      constexpr static unsigned long const NonZeroFlops[] = {662, 654, 662, 662, 654, 662, 734, 726, 734, 716, 708, 716, 662, 654, 662, 711, 654, 711, 742, 726, 742, 738, 708, 738, 734, 726, 734, 742, 726, 742, 814, 802, 814, 796, 783, 796, 716, 708, 716, 738, 708, 738, 796, 783, 796, 792, 765, 792};
      constexpr static unsigned long const HardwareFlops[] = {924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924, 924};
      constexpr static unsigned long const InboundConstBytes[] = {216, 216, 216, 264, 264, 264, 264, 264, 264, 264, 264, 264, 216, 216, 216, 264, 264, 264, 264, 264, 264, 264, 264, 264, 216, 216, 216, 264, 264, 264, 264, 264, 264, 264, 264, 264, 216, 216, 216, 264, 264, 264, 264, 264, 264, 264, 264, 264};
      constexpr static unsigned long const InboundBytes[] = {936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936, 936};
      constexpr static unsigned long const OutboundBytes[] = {288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288, 288};
      constexpr static unsigned long const TmpMemRequiredInBytes[] = {528, 528, 528, 528, 528, 528, 528, 528, 528, 528, 528, 528, 432, 528, 432, 528, 528, 528, 432, 528, 432, 432, 528, 432, 432, 432, 432, 528, 432, 528, 528, 528, 528, 528, 432, 528, 432, 432, 432, 528, 432, 528, 432, 528, 432, 528, 528, 528};
      constexpr static unsigned long const TmpMaxMemRequiredInBytes = 528;

      double const* AminusT{};
      double const* I{};
      double* Q{};
      tensor::fP::Container<double const*> fP;
      tensor::rDivM::Container<double const*> rDivM;
      tensor::rT::Container<double const*> rT;

      struct Prefetch {
        double const* I{};
      };
      Prefetch _prefetch;

      constexpr static unsigned long nonZeroFlops(unsigned i0, unsigned i1, unsigned i2) {
        return NonZeroFlops[1*i0 + 3*i1 + 12*i2];
      }
      constexpr static unsigned long hardwareFlops(unsigned i0, unsigned i1, unsigned i2) {
        return HardwareFlops[1*i0 + 3*i1 + 12*i2];
      }
      constexpr static unsigned long inboundConstBytes(unsigned i0, unsigned i1, unsigned i2) {
        return InboundConstBytes[1*i0 + 3*i1 + 12*i2];
      }
      constexpr static unsigned long inboundBytes(unsigned i0, unsigned i1, unsigned i2) {
        return InboundBytes[1*i0 + 3*i1 + 12*i2];
      }
      constexpr static unsigned long outboundBytes(unsigned i0, unsigned i1, unsigned i2) {
        return OutboundBytes[1*i0 + 3*i1 + 12*i2];
      }
      constexpr static unsigned long tmpMemRequiredInBytes(unsigned i0, unsigned i1, unsigned i2) {
        return TmpMemRequiredInBytes[1*i0 + 3*i1 + 12*i2];
      }
      void execute0();
      void execute1();
      void execute2();
      void execute3();
      void execute4();
      void execute5();
      void execute6();
      void execute7();
      void execute8();
      void execute9();
      void execute10();
      void execute11();
      void execute12();
      void execute13();
      void execute14();
      void execute15();
      void execute16();
      void execute17();
      void execute18();
      void execute19();
      void execute20();
      void execute21();
      void execute22();
      void execute23();
      void execute24();
      void execute25();
      void execute26();
      void execute27();
      void execute28();
      void execute29();
      void execute30();
      void execute31();
      void execute32();
      void execute33();
      void execute34();
      void execute35();
      void execute36();
      void execute37();
      void execute38();
      void execute39();
      void execute40();
      void execute41();
      void execute42();
      void execute43();
      void execute44();
      void execute45();
      void execute46();
      void execute47();
      using member_function_ptr = void (neighboringFlux::*)();
      constexpr static member_function_ptr ExecutePtrs[] = {&neighboringFlux::execute0, &neighboringFlux::execute1, &neighboringFlux::execute2, &neighboringFlux::execute3, &neighboringFlux::execute4, &neighboringFlux::execute5, &neighboringFlux::execute6, &neighboringFlux::execute7, &neighboringFlux::execute8, &neighboringFlux::execute9, &neighboringFlux::execute10, &neighboringFlux::execute11, &neighboringFlux::execute12, &neighboringFlux::execute13, &neighboringFlux::execute14, &neighboringFlux::execute15, &neighboringFlux::execute16, &neighboringFlux::execute17, &neighboringFlux::execute18, &neighboringFlux::execute19, &neighboringFlux::execute20, &neighboringFlux::execute21, &neighboringFlux::execute22, &neighboringFlux::execute23, &neighboringFlux::execute24, &neighboringFlux::execute25, &neighboringFlux::execute26, &neighboringFlux::execute27, &neighboringFlux::execute28, &neighboringFlux::execute29, &neighboringFlux::execute30, &neighboringFlux::execute31, &neighboringFlux::execute32, &neighboringFlux::execute33, &neighboringFlux::execute34, &neighboringFlux::execute35, &neighboringFlux::execute36, &neighboringFlux::execute37, &neighboringFlux::execute38, &neighboringFlux::execute39, &neighboringFlux::execute40, &neighboringFlux::execute41, &neighboringFlux::execute42, &neighboringFlux::execute43, &neighboringFlux::execute44, &neighboringFlux::execute45, &neighboringFlux::execute46, &neighboringFlux::execute47};
      constexpr static member_function_ptr findExecute(unsigned i0, unsigned i1, unsigned i2) {
        return ExecutePtrs[1*i0 + 3*i1 + 12*i2];
      }
      inline void execute(unsigned i0, unsigned i1, unsigned i2) {
        (this->*findExecute(i0, i1, i2))();
      }
    };
} // namespace kernel
} // namespace waves
#endif
