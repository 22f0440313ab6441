# The dependencies of the library, each declared once. They come from the system's packages; where a system has none of these, vcpkg.json names
# them for vcpkg.

# orlop_require(NAME PACKAGE [ARGUMENT...]): find_package with these arguments. A failure names the package of Debian and Ubuntu that has it.
macro(orlop_require name package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    string(REPLACE ";" " " wanted "${name};${ARGN}")
    message(FATAL_ERROR "find_package(${wanted}) found nothing: install ${package} (scripts/setup installs all packages of Debian and Ubuntu; vcpkg.json names those of vcpkg)")
  endif()
endmacro()

# A wheel carries them, so that it needs nothing of the system but its C and C++ libraries.
option(ORLOP_STATIC_DEPENDENCIES "Link SQLite and OpenSSL statically" OFF)
# A host with a store of its own needs neither. It gives the option `aead` if secrets are to be encrypted.
option(ORLOP_SQLITE "Keep stores in SQLite files, and encrypt with OpenSSL; OFF: neither is looked for or linked" ON)
if(NOT ORLOP_SQLITE AND (ORLOP_BUILD_PYTHON OR ORLOP_BUILD_BENCH))
  message(FATAL_ERROR "ORLOP_BUILD_PYTHON and ORLOP_BUILD_BENCH must be OFF where ORLOP_SQLITE is OFF: the Python module and the benchmarks use SQLite files")
endif()
if(ORLOP_SQLITE AND ORLOP_STATIC_DEPENDENCIES)
  set(OPENSSL_USE_STATIC_LIBS ON)
  find_library(SQLite3_LIBRARY libsqlite3.a REQUIRED)
endif()

orlop_require(Threads libc6-dev)
orlop_require(nlohmann_json nlohmann-json3-dev 3.11)
if(ORLOP_SQLITE)
  orlop_require(OpenSSL libssl-dev 3.0 COMPONENTS Crypto)
  orlop_require(SQLiteCpp libsqlitecpp-dev)
endif()
if(ORLOP_SQLITE AND ORLOP_STATIC_DEPENDENCIES)
  set_property(TARGET SQLite::SQLite3 APPEND PROPERTY INTERFACE_LINK_LIBRARIES m ${CMAKE_DL_LIBS})
endif()
orlop_require(Boost libboost-dev 1.74 CONFIG)
if(ORLOP_BUILD_TESTS)
  orlop_require(GTest libgtest-dev 1.12)
endif()
if(ORLOP_BUILD_PYTHON)
  orlop_require(Python python3-dev COMPONENTS Interpreter Development.Module)
  orlop_require(pybind11 pybind11-dev 2.10)
endif()
