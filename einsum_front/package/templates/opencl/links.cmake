target_link_libraries(@name@ PUBLIC OpenCL::OpenCL PRIVATE Threads::Threads)
