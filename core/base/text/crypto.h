// Functions that digest.h needs, from OpenSSL (openssl/) or, in a build without it, from this library
// (without_openssl/).
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text/digest.h"

namespace orlop {

// Returns the SHA-256 digest of the concatenation. Allocates no memory.
Digest sha256_of(std::string_view first, std::string_view second);

// Overwrites a secret. The compiler does not remove the call.
void cleanse(void* data, std::size_t size);

}  // namespace orlop
