// The deprecated functions of OpenSSL need no memory. The newer ones initialize the whole library at the first use, and
// fail for the rest of the process if memory runs out then.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/text/digest.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/text/crypto.h"

namespace orlop {

Digest sha256_of(std::string_view first, std::string_view second) {
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, first.data(), first.size());
  SHA256_Update(&state, second.data(), second.size());
  Digest digest{};
  SHA256_Final(digest.data(), &state);
  OPENSSL_cleanse(&state, sizeof state);
  return digest;
}

void cleanse(void* data, std::size_t size) { OPENSSL_cleanse(data, size); }

bool is_equal_in_constant_time(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace orlop
