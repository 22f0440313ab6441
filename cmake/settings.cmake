# Compiler settings of all targets of this project.
# The sonames count the versions that may break the C API: the minor ones until 1.0.
set(orlop_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(orlop_soversion 0.${PROJECT_VERSION_MINOR})
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Ordinary flags, and one level for all files (docs/decisions/205-one-read-path.md).
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

option(ORLOP_LTO "Optimize over all files when linking, as the Python package does" OFF)
if(ORLOP_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT has_lto OUTPUT lto_messages)
  if(NOT has_lto)
    message(FATAL_ERROR "ORLOP_LTO is ON, and the compiler cannot optimize when linking: ${lto_messages}")
  endif()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

# The release build, the sanitizers and the Python package compile many files alike; a cache lets the second one reuse the first.
find_program(ORLOP_CCACHE ccache)
if(ORLOP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${ORLOP_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ORLOP_CCACHE})
endif()

add_library(orlop_settings INTERFACE)
target_compile_options(orlop_settings INTERFACE
  -Wall -Wextra -Wconversion $<$<BOOL:${ORLOP_WERROR}>:-Werror> $<$<COMPILE_LANGUAGE:CXX>:-Wswitch-enum>
  # -Wconversion means signs too in clang's C++, and not in g++'s.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-sign-conversion>
  # clang 19 sees that std::stable_sort of libstdc++ 12 uses what is deprecated.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,19>>:-Wno-deprecated-declarations>
  # g++ 12 sees overlapping copies in its own std::string at -O3 (GCC bug 105651, mended in 13).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  # g++ 13 takes a reference that a function was given for one to a temporary among its arguments (GCC bug 107532, mended in 14).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:$<$<AND:$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,14>>:-Wno-dangling-reference>>
  # g++ 14 takes what std::optional<T>::emplace destroys for unset, after inlining; g++ 12 and clang look for the same mistakes.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:$<$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>:-Wno-maybe-uninitialized>>)

set(ORLOP_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")
if(ORLOP_SANITIZE)
  # What a sanitizer adds hides from g++ what was set, and it warns of values that are; the sanitizers look for themselves.
  add_compile_options(-fsanitize=${ORLOP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${ORLOP_SANITIZE})
endif()
