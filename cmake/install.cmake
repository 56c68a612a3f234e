# SPDX-License-Identifier: MIT
# What `make install` puts where: the program, both libraries (each static and shared), headers, and
# what pkg-config and find_package need to find them.  Nothing installed names the prefix, so that it may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/otherwise)
foreach(part shared static report_shared report_static)
  install(TARGETS ow_${part} EXPORT otherwise-${part})
  install(EXPORT otherwise-${part} NAMESPACE otherwise:: DESTINATION ${package_dir})
endforeach()
# libotherwise-report finds the core beside itself.
set_target_properties(ow_report_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
install(DIRECTORY include/otherwise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

configure_package_config_file(cmake/package/otherwise-config.cmake.in
  ${CMAKE_BINARY_DIR}/otherwise-config.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/otherwise-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/otherwise-config.cmake
              ${CMAKE_BINARY_DIR}/otherwise-config-version.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH up_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package otherwise otherwise-report)
  configure_file(cmake/package/${package}.pc.in ${CMAKE_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The program built against the shared library finds it beside itself.
if(OW_CLI_SHARED)
  set_target_properties(otherwise PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
install(TARGETS otherwise)
install(FILES ${OW_MAN_PAGE} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${OW_BASH_COMPLETION} RENAME otherwise
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)

# `cpack` makes a Debian package of all that; what it depends on is found from the binaries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The otherwise authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcurl4")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}")
include(CPack)
