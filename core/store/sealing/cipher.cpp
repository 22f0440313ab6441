#include "store/sealing/cipher.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "base/text/base64.h"

namespace orlop {
namespace {

constexpr std::size_t nonce_size = 12;
constexpr std::size_t tag_size = 16;

struct Free {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

std::uint8_t* bytes_of(std::string& text) { return reinterpret_cast<std::uint8_t*>(text.data()); }
const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

// These fail only for want of memory.
void require(bool succeeded) {
  if (!succeeded) throw std::bad_alloc();
}

int size_of(std::string_view text) {
  require(text.size() <= INT_MAX);
  return static_cast<int>(text.size());
}

enum class Direction : int { open = 0, seal = 1 };

Context begin(Direction direction, const Digest& key, const std::uint8_t* nonce, std::string_view associated) {
  Context context(EVP_CIPHER_CTX_new());
  require(context != nullptr);
  require(EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce, static_cast<int>(direction)) == 1);
  int written = 0;
  require(EVP_CipherUpdate(context.get(), nullptr, &written, bytes_of(associated), size_of(associated)) == 1);
  return context;
}

// The context's size goes in front, so that no other pair of context and text gives the same bytes.
Digest nonce_of(const Digest& key, std::string_view text, std::string_view context) {
  std::string both = std::to_string(context.size());
  both.append(1, ':').append(context).append(text);
  const Digest nonce = hmac_sha256(text_of(key), both);
  OPENSSL_cleanse(both.data(), both.size());
  return nonce;
}

}  // namespace

Cipher::Cipher(std::string_view key)
    : encryption_(hmac_sha256(key, "orlop 1 encryption")), nonces_(hmac_sha256(key, "orlop 1 nonces")) {}

Cipher::~Cipher() {
  OPENSSL_cleanse(encryption_.data(), encryption_.size());
  OPENSSL_cleanse(nonces_.data(), nonces_.size());
}

std::string Cipher::seal(std::string_view text, std::string_view context) const {
  const Digest nonce = nonce_of(nonces_, text, context);
  const Context sealing = begin(Direction::seal, encryption_, nonce.data(), context);
  std::string sealed(nonce_size + text.size() + tag_size, '\0');
  std::copy_n(nonce.begin(), nonce_size, bytes_of(sealed));
  int written = 0;
  require(EVP_CipherUpdate(sealing.get(), bytes_of(sealed) + nonce_size, &written, bytes_of(text), size_of(text)) == 1);
  int rest = 0;
  require(EVP_CipherFinal_ex(sealing.get(), bytes_of(sealed) + nonce_size + written, &rest) == 1);
  std::uint8_t* tag = bytes_of(sealed) + nonce_size + text.size();
  require(EVP_CIPHER_CTX_ctrl(sealing.get(), EVP_CTRL_GCM_GET_TAG, tag_size, tag) == 1);
  return to_base64(std::span(bytes_of(sealed), sealed.size()));
}

std::optional<std::string> Cipher::open(std::string_view sealed, std::string_view context) const {
  std::optional<std::string> bytes = parse_base64(sealed);
  if (!bytes || bytes->size() < nonce_size + tag_size) return std::nullopt;
  const std::size_t size = bytes->size() - nonce_size - tag_size;
  const Context parsed = begin(Direction::open, encryption_, bytes_of(*bytes), context);
  std::string text(size, '\0');
  int written = 0;
  const std::string_view sealed_text = std::string_view(*bytes).substr(nonce_size, size);
  require(EVP_CipherUpdate(parsed.get(), bytes_of(text), &written, bytes_of(sealed_text), size_of(sealed_text)) == 1);
  std::uint8_t* tag = bytes_of(*bytes) + nonce_size + size;
  require(EVP_CIPHER_CTX_ctrl(parsed.get(), EVP_CTRL_GCM_SET_TAG, tag_size, tag) == 1);
  int rest = 0;
  if (EVP_CipherFinal_ex(parsed.get(), bytes_of(text) + written, &rest) == 1) return text;
  OPENSSL_cleanse(text.data(), text.size());
  return std::nullopt;
}

}  // namespace orlop
