// SHA-256 (FIPS 180-4). No branch and no address depends on the input.
#include "base/text/digest.h"

#include <string.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "base/text/crypto.h"

namespace orlop {
namespace {

constexpr std::size_t chunk_size = 64;

constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
 public:
  ~Sha256() {
    cleanse(state_.data(), sizeof state_);
    cleanse(chunk_.data(), sizeof chunk_);
  }

  void update(std::string_view text) {
    size_ += text.size();
    for (const char letter : text) put(static_cast<std::uint8_t>(letter));
  }

  Digest finish() {
    const std::uint64_t bits = size_ * 8;
    put(0x80);
    while (filled_ != chunk_size - sizeof bits) put(0);
    for (int shift = 56; shift >= 0; shift -= 8) put(static_cast<std::uint8_t>(bits >> shift));
    Digest digest{};
    for (std::size_t byte = 0; byte < digest.size(); ++byte)
      digest[byte] = static_cast<std::uint8_t>(state_[byte / 4] >> (24 - 8 * (byte % 4)));
    return digest;
  }

 private:
  void put(std::uint8_t byte) {
    chunk_[filled_++] = byte;
    if (filled_ < chunk_size) return;
    compress();
    filled_ = 0;
  }

  void compress() {
    std::array<std::uint32_t, 64> words{};
    for (std::size_t byte = 0; byte < chunk_size; ++byte) words[byte / 4] = words[byte / 4] << 8 | chunk_[byte];
    for (std::size_t at = 16; at < words.size(); ++at) {
      const std::uint32_t far = std::rotr(words[at - 15], 7) ^ std::rotr(words[at - 15], 18) ^ words[at - 15] >> 3;
      const std::uint32_t near = std::rotr(words[at - 2], 17) ^ std::rotr(words[at - 2], 19) ^ words[at - 2] >> 10;
      words[at] = words[at - 16] + far + words[at - 7] + near;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t at = 0; at < words.size(); ++at) {
      const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                  round_constants[at] + words[at];
      const std::uint32_t second =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::array<std::uint32_t, 8> sums = {a, b, c, d, e, f, g, h};
    for (std::size_t at = 0; at < state_.size(); ++at) state_[at] += sums[at];
    cleanse(words.data(), sizeof words);
  }

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, chunk_size> chunk_{};
  std::size_t filled_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace

Digest sha256_of(std::string_view first, std::string_view second) {
  Sha256 state;
  state.update(first);
  state.update(second);
  return state.finish();
}

void cleanse(void* data, std::size_t size) { explicit_bzero(data, size); }

bool is_equal_in_constant_time(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  // Volatile, so that the compiler does not stop at the first difference.
  volatile std::uint8_t differences = 0;
  for (std::size_t at = 0; at < left.size(); ++at)
    differences = static_cast<std::uint8_t>(differences | (left[at] ^ right[at]));
  return differences == 0;
}

}  // namespace orlop
