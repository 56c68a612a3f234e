# SPDX-License-Identifier: MIT
# libotherwise-cuda.so: the kernels of the CUDA engine, as machine code for the architectures named and
# PTX for later ones.  The runtime is linked into it; building needs nvcc, and neither a GPU nor a driver.
# Profilers and compute-sanitizer name lines (-lineinfo), which costs nothing when it runs.
set(OW_CUDA_ARCHITECTURES 80 90 CACHE STRING "GPU architectures that get machine code")
if(OW_CUDA)
  find_program(OW_NVCC nvcc REQUIRED DOC "CUDA's compiler")
  set(codes "")
  foreach(architecture ${OW_CUDA_ARCHITECTURES})
    list(APPEND codes -gencode arch=compute_${architecture},code=sm_${architecture})
    set(newest ${architecture})
  endforeach()
  file(GLOB kernels CONFIGURE_DEPENDS src/backend/cuda/*.cuh src/backend/cuda/*.h)
  set(plugin ${CMAKE_BINARY_DIR}/libotherwise-cuda.so)
  add_custom_command(OUTPUT ${plugin}
    COMMAND ${OW_NVCC} -std=c++17 -O3 -lineinfo -shared -cudart static -Xcompiler -fPIC,-fvisibility=hidden
            ${codes} -gencode arch=compute_${newest},code=compute_${newest}
            -I${PROJECT_SOURCE_DIR}/src -o ${plugin} ${PROJECT_SOURCE_DIR}/src/backend/cuda/device_cuda.cu
    DEPENDS src/backend/cuda/device_cuda.cu ${kernels} VERBATIM)
  add_custom_target(ow_cuda ALL DEPENDS ${plugin})
  install(FILES ${plugin} DESTINATION ${CMAKE_INSTALL_LIBDIR}/otherwise)
endif()
