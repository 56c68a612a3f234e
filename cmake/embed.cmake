# SPDX-License-Identifier: MIT
# ow_embed(TARGET NAME FILE): the bytes of a file as `const unsigned char owi_embedded_NAME[]` with its size in
# `owi_embedded_NAME_size`, compiled into the target; a NUL stands behind them.
function(ow_embed target name file)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${file}
            -DOUTPUT=${source} -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
