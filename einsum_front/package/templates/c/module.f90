! Kernels of @file@ for Fortran, made by einsum-front: the functions of @name@.h.
!
! Memory is `type(c_ptr)`: `c_loc` of an array. The result of a function is `success` or another of these numbers; `message`
! is then a text of C.
module @name@
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: success = 0, null_pointer, wrong_batch, wrong_size, small_memory, no_memory
  end enum

  ! Which threads run a batch: the caller alone, or those of OpenMP.
  enum, bind(c)
    enumerator :: serial = 0, parallel = 1
  end enum

@structs@
  interface

@include shared/message.f90@

    ! The set of instructions that kernels are run with, likewise.
    function instructions() result(text) bind(c, name="@name@_instructions")
      import
      type(c_ptr) :: text
    end function instructions

@functions@

  end interface

end module @name@
