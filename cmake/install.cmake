# What a host gets: the shared library, its headers, find_package(orlop CONFIG) with the target orlop::orlop, and orlop.pc.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(orlop PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME orlop)
target_include_directories(orlop INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(NOT TARGET orlop::orlop)
  add_library(orlop::orlop ALIAS orlop)  # the same name within this tree and outside of it
endif()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/orlop)
install(TARGETS orlop EXPORT orlop
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orlop
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orlop)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/orlop DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT orlop
  FILES_MATCHING PATTERN *.h PATTERN *.hpp)
install(EXPORT orlop NAMESPACE orlop:: FILE orlopTargets.cmake DESTINATION ${config_folder} COMPONENT orlop)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/orlopConfig.cmake.in ${PROJECT_BINARY_DIR}/orlopConfig.cmake
  INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orlopConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/orlopConfig.cmake ${PROJECT_BINARY_DIR}/orlopConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT orlop)

# orlop.pc finds its prefix from where it lies, so that an installed tree may be moved.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${pkgconfig_folder} /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/orlop.pc.in ${PROJECT_BINARY_DIR}/orlop.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/orlop.pc DESTINATION ${pkgconfig_folder} COMPONENT orlop)
