# products and sums are contracted, and memory of one type may be read as another
target_compile_options(@name@ PRIVATE -ffp-contract=fast -fno-strict-aliasing $<$<NOT:$<CONFIG:Debug>>:-O3>)
target_link_libraries(@name@ PUBLIC m)
if(OpenMP_C_FOUND) # programs need not look for it: an installed library names its own
  target_link_libraries(@name@
    PRIVATE $<BUILD_INTERFACE:OpenMP::OpenMP_C> INTERFACE $<INSTALL_INTERFACE:${OpenMP_C_LIBRARIES}>)
endif()
