#include "store/sealing/cipher.h"

#include <cstdint>
#include <span>

#include "base/text/base64.h"
#include "base/text/crypto.h"

namespace orlop {
namespace {

// The context's size comes first, so that no other pair of context and text gives the same bytes.
Digest nonce_of(const Digest& key, std::string_view text, std::string_view context) {
  std::string both = std::to_string(context.size());
  both.append(1, ':').append(context).append(text);
  const Digest nonce = hmac_sha256(text_of(key), both);
  cleanse(both.data(), both.size());
  return nonce;
}

}  // namespace

Result<void> require_aead(const Aead* aead) {
  if (aead != nullptr) return {};
  return make_error(
      ErrorCode::misuse,
      "a key for secrets needs the option aead: this library was built without OpenSSL (ORLOP_SQLITE=OFF)");
}

Cipher::Cipher(std::string_view key, Aead* aead)
    : aead_(aead), encryption_(hmac_sha256(key, "orlop 1 encryption")), nonces_(hmac_sha256(key, "orlop 1 nonces")) {}

Cipher::~Cipher() {
  cleanse(encryption_.data(), encryption_.size());
  cleanse(nonces_.data(), nonces_.size());
}

Result<std::string> Cipher::seal(std::string_view text, std::string_view context) const {
  const Digest digest = nonce_of(nonces_, text, context);
  std::string sealed(text_of(digest).substr(0, Aead::nonce_size));
  ORLOP_TRY(encrypted, aead_->encrypt({text_of(encryption_), sealed, context}, text));
  sealed += encrypted;
  return to_base64(std::span(reinterpret_cast<const std::uint8_t*>(sealed.data()), sealed.size()));
}

std::optional<std::string> Cipher::open(std::string_view sealed, std::string_view context) const {
  const std::optional<std::string> bytes = parse_base64(sealed);
  if (!bytes || bytes->size() < Aead::nonce_size + Aead::tag_size) return std::nullopt;
  const std::string_view all(*bytes);
  return aead_->decrypt({text_of(encryption_), all.substr(0, Aead::nonce_size), context}, all.substr(Aead::nonce_size));
}

}  // namespace orlop
