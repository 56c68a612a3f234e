# SPDX-License-Identifier: MIT
# libotherwise-mpi-openmpi.so and libotherwise-mpi-mpich.so: one source, compiled against each MPI.  The
# program loads one of them when it is started by such a launcher; it is the same program without.
target_compile_definitions(ow_cli PRIVATE OW_PLUGIN_DIR="${plugin_dir}")
if(OW_MPI)
  set(packages_openmpi ompi-c)
  set(packages_mpich mpich)
  foreach(name openmpi mpich)
    pkg_check_modules(MPI_${name} IMPORTED_TARGET ${packages_${name}})
    if(MPI_${name}_FOUND)
      add_library(ow_mpi_${name} MODULE src/comm/mpi/mpi_plugin.c)
      set_target_properties(ow_mpi_${name} PROPERTIES OUTPUT_NAME otherwise-mpi-${name}
                            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
      target_include_directories(ow_mpi_${name} PRIVATE src)
      target_link_libraries(ow_mpi_${name} PRIVATE ow_build PkgConfig::MPI_${name})
      install(TARGETS ow_mpi_${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/otherwise)
    endif()
  endforeach()
  if(NOT MPI_openmpi_FOUND AND NOT MPI_mpich_FOUND)
    message(FATAL_ERROR "OW_MPI: neither Open MPI (ompi-c.pc) nor MPICH (mpich.pc) is installed")
  endif()
endif()
