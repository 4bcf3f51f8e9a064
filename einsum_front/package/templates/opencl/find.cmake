find_package(OpenCL QUIET)
if(NOT OpenCL_FOUND)
  message(FATAL_ERROR
    "@name@ needs the headers and the loader of OpenCL: CL/cl.h and libOpenCL.\n"
    "  Debian, Ubuntu: apt-get install opencl-headers ocl-icd-opencl-dev\n"
    "  Fedora, RHEL:   dnf install opencl-headers ocl-icd-devel\n"
    "Elsewhere, name them: -DOpenCL_INCLUDE_DIR=… -DOpenCL_LIBRARY=…")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
