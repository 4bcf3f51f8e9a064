target_compile_features(@name@ PRIVATE cxx_std_17)
if(@NAME@_ADAPTIVECPP)
  add_sycl_to_target(TARGET @name@ SOURCES
@device_sources@
    src/sycl.cpp)
else()
  target_compile_options(@name@ PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsycl>)
  target_link_options(@name@ PUBLIC -fsycl)
endif()
