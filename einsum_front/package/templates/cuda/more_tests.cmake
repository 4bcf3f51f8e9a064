  target_include_directories(@name@_test PRIVATE src)
