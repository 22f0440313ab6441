// Encryption of short texts: AES-256 in Galois/counter mode (NIST SP 800-38D).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/digest.h"

namespace orlop {

// Nonces are computed by HMAC, under a key of their own, from text and context: equal texts in equal contexts are encrypted to equal bytes, different ones share a nonce
// with a probability of 2^-96, and no random numbers are needed. Safe on every thread.
class Cipher {
 public:
  static constexpr std::size_t key_size = 32;

  // `key` has key_size bytes; the keys of encryption and nonces are derived from it.
  explicit Cipher(std::string_view key);
  ~Cipher();
  Cipher(const Cipher&) = default;
  Cipher& operator=(const Cipher&) = default;

  // Nonce, ciphertext and tag in Base64. A text that was encrypted with one `context` cannot be decrypted with another.
  std::string seal(std::string_view text, std::string_view context) const;
  // Nothing for a text that was not encrypted with this key and context.
  std::optional<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  Digest encryption_;
  Digest nonces_;
};

}  // namespace orlop
