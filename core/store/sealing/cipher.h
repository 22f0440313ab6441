// Encryption of short texts: AES-256 in Galois/counter mode.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/port.h"
#include "base/result.h"
#include "base/text/digest.h"

namespace orlop {

// Returns the AEAD of OpenSSL; null in a build without it (ORLOP_SQLITE=OFF).
Aead* built_in_aead();

// Error misuse: `aead` is null, so that secrets can neither be encrypted nor decrypted.
Result<void> require_aead(const Aead* aead);

// Nonces are computed by HMAC, under a separate key, from text and context: equal texts in equal contexts are encrypted
// to equal bytes, different ones share a nonce with a probability of 2^-96, and no random numbers are needed. Safe on
// every thread.
class Cipher {
 public:
  static constexpr std::size_t key_size = Aead::key_size;

  // `key` has key_size bytes; the keys of encryption and nonces are derived from it. `aead` is not null, and must
  // outlive the cipher and its copies.
  explicit Cipher(std::string_view key, Aead* aead = built_in_aead());
  ~Cipher();
  Cipher(const Cipher&) = default;
  Cipher& operator=(const Cipher&) = default;

  Aead* aead() const { return aead_; }

  // Returns nonce, ciphertext and tag in Base64. A text that was encrypted with one `context` cannot be decrypted with
  // another. Errors: those of the host's Aead.
  Result<std::string> seal(std::string_view text, std::string_view context) const;
  // Returns nullopt for a text that was not encrypted with this key and context.
  std::optional<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  Aead* aead_;
  Digest encryption_;
  Digest nonces_;
};

}  // namespace orlop
