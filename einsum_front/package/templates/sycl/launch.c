@include cuda/launch.c@
