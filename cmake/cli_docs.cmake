# SPDX-License-Identifier: MIT
# The manual page and the completion for bash, made by the program itself from its option tables.
# Whoever installs them finds them in OW_MAN_PAGE and OW_BASH_COMPLETION.
set(OW_MAN_PAGE ${CMAKE_BINARY_DIR}/doc/otherwise.1)
set(OW_BASH_COMPLETION ${CMAKE_BINARY_DIR}/doc/otherwise.bash)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/doc)
add_custom_command(
  OUTPUT ${OW_MAN_PAGE} ${OW_BASH_COMPLETION}
  COMMAND otherwise help --man > ${OW_MAN_PAGE}
  COMMAND otherwise help --completion bash > ${OW_BASH_COMPLETION}
  DEPENDS otherwise
  COMMENT "Making the manual page and the completion"
  VERBATIM)
add_custom_target(ow_cli_docs ALL DEPENDS ${OW_MAN_PAGE} ${OW_BASH_COMPLETION})
