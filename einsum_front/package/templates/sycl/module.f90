@include cuda/module.f90@
