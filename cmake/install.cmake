# The installed files: the shared and the static library, the headers, find_package(orlop CONFIG) with the target orlop::orlop (and with
# COMPONENTS static orlop::static), orlop.pc, the licence and the notices of what is built in.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_include_directories(orlop INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/orlop)
install(TARGETS orlop EXPORT orlop LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orlop)
install(FILES $<TARGET_PROPERTY:orlop_archive,ORLOP_FILE> DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orlop)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/orlop DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT orlop
  FILES_MATCHING PATTERN *.h PATTERN *.hpp)
install(EXPORT orlop NAMESPACE orlop:: FILE orlopTargets.cmake DESTINATION ${config_folder} COMPONENT orlop)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD-PARTY-NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT orlop)

# A program that links liborlop.a links these as well.
set(ORLOP_LIBS_PRIVATE "")
if(ORLOP_SQLITE)
  set(private_packages sqlite3 libcrypto)
  set(ORLOP_LIBS_PRIVATE "-lsqlite3 -lz -lcrypto")
  # What those need themselves, as their own packages say it.
  find_package(PkgConfig QUIET)
endif()
if(ORLOP_SQLITE AND PkgConfig_FOUND)
  pkg_check_modules(orlop_private QUIET ${private_packages})
  if(orlop_private_FOUND)
    list(JOIN orlop_private_STATIC_LDFLAGS " " ORLOP_LIBS_PRIVATE)
  endif()
endif()
string(APPEND ORLOP_LIBS_PRIVATE " -lstdc++ -lm -ldl -pthread")

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/orlopConfig.cmake.in ${PROJECT_BINARY_DIR}/orlopConfig.cmake
  INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
configure_file(${PROJECT_SOURCE_DIR}/cmake/orlopStatic.cmake.in ${PROJECT_BINARY_DIR}/orlopStatic.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orlopConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/orlopConfig.cmake ${PROJECT_BINARY_DIR}/orlopStatic.cmake ${PROJECT_BINARY_DIR}/orlopConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT orlop)

# orlop.pc finds its prefix from where it lies, so that an installed tree may be moved.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${pkgconfig_folder} /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/orlop.pc.in ${PROJECT_BINARY_DIR}/orlop.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/orlop.pc DESTINATION ${pkgconfig_folder} COMPONENT orlop)
