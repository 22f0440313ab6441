#include "base/text/digest.h"

#include <algorithm>
#include <array>

#include "base/text/crypto.h"

namespace orlop {
namespace {

constexpr std::size_t block_size = 64;
using Block = std::array<std::uint8_t, block_size>;

template <typename Bytes>
std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Block padded(const Block& key, std::uint8_t pad) {
  Block block = key;
  for (std::uint8_t& byte : block) byte ^= pad;
  return block;
}

}  // namespace

Digest sha256(std::string_view text) { return sha256_of(text, {}); }

// RFC 2104.
Digest hmac_sha256(std::string_view key, std::string_view text) {
  Block block{};
  if (key.size() > block_size) {
    std::ranges::copy(sha256(key), block.begin());
  } else {
    std::ranges::copy(key, block.begin());
  }
  Block inner = padded(block, 0x36);
  Block outer = padded(block, 0x5C);
  const Digest digest = sha256_of(text_of(outer), text_of(sha256_of(text_of(inner), text)));
  for (Block* secret : {&block, &inner, &outer}) cleanse(secret->data(), secret->size());
  return digest;
}

std::string to_hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) text.append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  return text;
}

}  // namespace orlop
