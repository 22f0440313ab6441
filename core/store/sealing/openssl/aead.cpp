// AES-256-GCM of OpenSSL.
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <climits>
#include <cstdint>
#include <memory>
#include <new>

#include "store/sealing/cipher.h"

namespace orlop {
namespace {

struct Free {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

std::uint8_t* bytes_of(std::string& text) { return reinterpret_cast<std::uint8_t*>(text.data()); }
const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

// These fail only when memory runs out.
void require(bool succeeded) {
  if (!succeeded) throw std::bad_alloc();
}

int size_of(std::string_view text) {
  require(text.size() <= INT_MAX);
  return static_cast<int>(text.size());
}

enum class Direction : int { decrypt = 0, encrypt = 1 };

Context begin(Direction direction, const Aead::Parameters& parameters) {
  Context context(EVP_CIPHER_CTX_new());
  require(context != nullptr);
  require(EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_of(parameters.key),
                            bytes_of(parameters.nonce), static_cast<int>(direction)) == 1);
  int written = 0;
  require(EVP_CipherUpdate(context.get(), nullptr, &written, bytes_of(parameters.data), size_of(parameters.data)) == 1);
  return context;
}

class OpensslAead final : public Aead {
 public:
  Result<std::string> encrypt(const Parameters& parameters, std::string_view text) override {
    const Context context = begin(Direction::encrypt, parameters);
    std::string sealed(text.size() + tag_size, '\0');
    int written = 0;
    require(EVP_CipherUpdate(context.get(), bytes_of(sealed), &written, bytes_of(text), size_of(text)) == 1);
    int rest = 0;
    require(EVP_CipherFinal_ex(context.get(), bytes_of(sealed) + written, &rest) == 1);
    require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_size, bytes_of(sealed) + text.size()) == 1);
    return sealed;
  }

  std::optional<std::string> decrypt(const Parameters& parameters, std::string_view sealed) override {
    const Context context = begin(Direction::decrypt, parameters);
    const std::string_view encrypted = sealed.substr(0, sealed.size() - tag_size);
    std::string text(encrypted.size(), '\0');
    int written = 0;
    require(EVP_CipherUpdate(context.get(), bytes_of(text), &written, bytes_of(encrypted), size_of(encrypted)) == 1);
    std::string tag(sealed.substr(encrypted.size()));
    require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, tag_size, tag.data()) == 1);
    int rest = 0;
    if (EVP_CipherFinal_ex(context.get(), bytes_of(text) + written, &rest) == 1) return text;
    OPENSSL_cleanse(text.data(), text.size());
    return std::nullopt;
  }
};

}  // namespace

Aead* built_in_aead() {
  static OpensslAead aead;
  return &aead;
}

}  // namespace orlop
