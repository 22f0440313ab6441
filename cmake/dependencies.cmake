# The dependencies of the library, each once. The system's copy is used if there is one; else its source is downloaded
# from Debian's archive and must have the hash that Debian signed. -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER downloads always.
include(FetchContent)

set(debian_sources http://deb.debian.org/debian/pool/main)
# None of theirs is built or installed unless something of ours asks for it.
set(CMAKE_POLICY_DEFAULT_CMP0063 NEW)
set(JSON_BuildTests OFF)
set(SQLITECPP_RUN_CPPLINT OFF)
set(SQLITECPP_RUN_CPPCHECK OFF)
set(INSTALL_GTEST OFF)

function(orlop_declare name path hash)
  FetchContent_Declare(${name} SYSTEM URL ${debian_sources}/${path} URL_HASH SHA256=${hash}
    DOWNLOAD_EXTRACT_TIMESTAMP OFF ${ARGN})
endfunction()

orlop_declare(nlohmann_json n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz
  d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273 FIND_PACKAGE_ARGS 3.11)
orlop_declare(SQLiteCpp s/sqlitecpp/sqlitecpp_3.2.1.orig.tar.gz
  70c67d5680c47460f82a7abf8e6b0329bf2fb10795a982a6d8abc06adb42d693 FIND_PACKAGE_ARGS)
orlop_declare(Boost b/boost1.74/boost1.74_1.74.0+ds1.orig.tar.xz
  192f5df504d282cb81288f88232d8af45b64a9ab531e1c7cf8ae955f16f6bb28
  SOURCE_SUBDIR headers-only FIND_PACKAGE_ARGS 1.74 CONFIG)
orlop_declare(googletest g/googletest/googletest_1.12.1.orig.tar.gz
  81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2 FIND_PACKAGE_ARGS 1.12 NAMES GTest)
orlop_declare(pybind11 p/pybind11/pybind11_2.10.3.orig.tar.gz
  5d8c4c5dda428d3a944ba3d2a5212cb988c2fae4670d58075a5a49075a6ca315 FIND_PACKAGE_ARGS 2.10)

find_package(Threads REQUIRED)
# Too delicate to be built along the way: the system's copy, which its distributor keeps up to date.
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
FetchContent_MakeAvailable(nlohmann_json SQLiteCpp Boost)
if(NOT TARGET Boost::headers)
  # A downloaded Boost is read, not built: the library uses its headers only.
  add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
  target_include_directories(Boost::headers INTERFACE ${boost_SOURCE_DIR})
endif()
if(ORLOP_BUILD_TESTS)
  FetchContent_MakeAvailable(googletest)
endif()
if(ORLOP_BUILD_PYTHON)
  find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
  FetchContent_MakeAvailable(pybind11)
endif()
