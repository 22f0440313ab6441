// Sealing of short texts: AES-256 in Galois/counter mode (NIST SP 800-38D).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace orlop {

// Nonces follow from what is sealed and where it belongs, by HMAC under a key of their own: the same text at the same place is sealed
// alike, two different ones never share a nonce but by a chance of 2^-96, and nothing is drawn. Safe on every thread.
class Cipher {
 public:
  static constexpr std::size_t key_size = 32;

  // `key` has key_size bytes; encryption and nonces get keys that are derived from it.
  explicit Cipher(std::string_view key);
  ~Cipher();
  Cipher(const Cipher&) = default;
  Cipher& operator=(const Cipher&) = default;

  // Nonce, ciphertext and tag in Base64. What is sealed under one `context` opens under no other.
  std::string seal(std::string_view text, std::string_view context) const;
  // Nothing for what this key did not seal under this context.
  std::optional<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  Digest encryption_;
  Digest nonces_;
};

}  // namespace orlop
