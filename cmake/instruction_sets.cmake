# SPDX-License-Identifier: MIT
# Kernels are compiled for more than the common instruction set, file by file, and chosen at run
# time.  -O3 for the plain loops that the compiler is meant to vectorise; no trapping arithmetic, so
# that it may turn selections into masks; multiply-adds where the processor has them (strict C11 would
# round in between).  Never -ffast-math: it breaks -inf and NaN.
set(kernel_options -O3 -fno-trapping-math -fno-math-errno -ffp-contract=fast)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  # Else -g takes longer to follow variables through unrolled loops than all the rest does.
  list(APPEND kernel_options -fno-var-tracking)
endif()
file(GLOB kernel_sources CONFIGURE_DEPENDS src/backend/cpu/*.c)
set_source_files_properties(${kernel_sources} PROPERTIES COMPILE_OPTIONS "${kernel_options}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/backend/cpu/tile_avx2.c PROPERTIES
    COMPILE_OPTIONS "${kernel_options};-mavx2;-mfma")
  set_source_files_properties(src/backend/cpu/tile_avx512.c PROPERTIES
    COMPILE_OPTIONS "${kernel_options};-mavx512f;-mfma;-mpopcnt;-mprefer-vector-width=512")
endif()

# The evaluation of trees: whole numbers, and sums that must be rounded like a package's own, so
# nothing may be contracted.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/trees/mask_avx2.c PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-ffp-contract=off")
  set_source_files_properties(src/trees/mask_avx512.c PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512;-ffp-contract=off")
endif()
set_source_files_properties(src/trees/mask_plain.c src/trees/evaluate_trees.c PROPERTIES
                            COMPILE_OPTIONS "-O3")

# Loops over whole rows of numbers, with the results of their plain forms bit by bit.
set_source_files_properties(src/data/schema/encode.c src/explain/constraints/whole_rows.c
                            src/explain/two_step/row_steps.c PROPERTIES
                            COMPILE_OPTIONS "-O3;-fno-trapping-math;-fno-math-errno;-ffp-contract=off")
