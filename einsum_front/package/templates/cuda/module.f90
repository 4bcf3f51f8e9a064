! Kernels of @file@ for Fortran, made by einsum-front: the functions of @name@.h.
!
! Streams, queues and memory of the device are `type(c_ptr)`. A function of a kernel launches it and does not wait. Its result is
! `success` or another of these numbers; `message` is then a text of C.
module @name@
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: success = 0, null_pointer, wrong_batch, wrong_size, small_memory, unfit_device, no_memory, gpu_error
  end enum

@structs@
  interface

@include shared/message.f90@

@functions@

  end interface

end module @name@
