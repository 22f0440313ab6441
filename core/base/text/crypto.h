// The functions under digest.h, of OpenSSL (openssl/) or of this library in a build without it (without_openssl/).
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text/digest.h"

namespace orlop {

// SHA-256 of both, one after the other. Needs no memory.
Digest sha256_of(std::string_view first, std::string_view second);

// Overwrites a secret; the compiler does not leave it out.
void cleanse(void* data, std::size_t size);

}  // namespace orlop
