// Stops an older compiler mode with a clear error: the C++ API needs C++20.
#ifndef ORLOP_STANDARD_HPP
#define ORLOP_STANDARD_HPP

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "the C++ API of Orlop needs C++20 (-std=c++20); its C API, orlop/orlop.h, needs C++14 or C11"
#endif

#endif
