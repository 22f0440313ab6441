// Stops an older compiler mode with a clear error: the C++ API needs C++20.
#ifndef ORLOP_STANDARD_HPP
#define ORLOP_STANDARD_HPP

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "the C++ API of Orlop needs C++20: compile with -std=c++20, or use the C API (orlop/orlop.h), which needs "
"C++14 or C11"
#endif

#endif
