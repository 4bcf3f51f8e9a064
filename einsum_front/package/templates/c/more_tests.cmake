  foreach(set avx2 basic) # lesser instructions than those of the processor
    add_test(NAME @name@_${set} COMMAND @name@_test)
    set_tests_properties(@name@_${set} PROPERTIES ENVIRONMENT "@NAME@_INSTRUCTIONS=${set}")
  endforeach()
