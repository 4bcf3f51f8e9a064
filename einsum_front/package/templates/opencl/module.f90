! Kernels of @file@ for Fortran, made by einsum-front: the functions of @name@.h.
!
! Contexts, devices, queues, memory and events of OpenCL are `type(c_ptr)`. A function of a kernel enqueues and does not
! wait. Its result is `success` or another of these numbers; `message` is then a text of C.
module @name@
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: success = 0, null_pointer, wrong_batch, wrong_size, small_memory, unfit_device, build_failed, &
      no_memory, opencl_error
  end enum

  ! Where a kernel runs: the queue, how many events it waits for, the address of the first of them, and the address of
  ! the event that it gives.
  type, bind(c) :: launch
    type(c_ptr) :: queue = c_null_ptr
    integer(c_int32_t) :: wait_count = 0
    type(c_ptr) :: wait_list = c_null_ptr
    type(c_ptr) :: event = c_null_ptr
  end type launch

@structs@
  interface

    ! Make the kernels for a device; nothing is compiled yet.
    function create_library(context, device, kernels) result(status) bind(c, name="@name@_create")
      import
      type(c_ptr), value :: context
      type(c_ptr), value :: device
      type(c_ptr), intent(out) :: kernels
      integer(c_int) :: status
    end function create_library

    subroutine destroy_library(kernels) bind(c, name="@name@_destroy")
      import
      type(c_ptr), value :: kernels
    end subroutine destroy_library

    ! Compile or load all kernels now; else each is at its first launch.
    function prepare_library(kernels) result(status) bind(c, name="@name@_prepare")
      import
      type(c_ptr), value :: kernels
      integer(c_int) :: status
    end function prepare_library

    ! How many programs were compiled, and did not come from the cache.
    function compiled_programs(kernels) result(count) bind(c, name="@name@_compiled")
      import
      type(c_ptr), value :: kernels
      integer(c_int64_t) :: count
    end function compiled_programs

@include shared/message.f90@

@functions@

  end interface

end module @name@
