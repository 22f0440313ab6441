#include "access/token_authentication.h"

#include "base/text/digest.h"

namespace orlop {
namespace {

constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t chance_size = 43;  // letters that 256 bits need
constexpr std::size_t checksum_size = 6;

// Writes the number in base 62, lowest digit first, with `size` letters.
template <std::size_t digits>
std::string in_letters(std::array<std::uint32_t, digits> number, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    std::uint64_t rest = 0;
    for (std::uint32_t& digit : number) {
      const std::uint64_t value = rest << 32 | digit;
      digit = static_cast<std::uint32_t>(value / letters.size());
      rest = value % letters.size();
    }
    text.push_back(letters[rest]);
  }
  return text;
}

std::string checksum_of(std::string_view text) {
  const Digest digest = sha256(text);
  const std::uint32_t number =
      std::uint32_t{digest[0]} << 24 | std::uint32_t{digest[1]} << 16 | std::uint32_t{digest[2]} << 8 | digest[3];
  return in_letters(std::array<std::uint32_t, 1>{number}, checksum_size);
}

}  // namespace

std::string make_api_token(std::string_view brand, const std::array<std::uint64_t, 4>& random) {
  std::array<std::uint32_t, 8> digits{};
  for (std::size_t at = 0; at < random.size(); ++at) {
    digits[2 * at] = static_cast<std::uint32_t>(random[at] >> 32);
    digits[2 * at + 1] = static_cast<std::uint32_t>(random[at]);
  }
  const std::string text = std::string(brand) + "_" + in_letters(digits, chance_size);
  return text + checksum_of(text);
}

bool is_api_token(std::string_view text) {
  const std::size_t brand_size = text.find('_');
  if (brand_size == 0 || brand_size == std::string_view::npos ||
      text.size() != brand_size + 1 + chance_size + checksum_size)
    return false;
  const std::size_t end = text.size() - checksum_size;
  if (text.find_first_not_of(letters, brand_size + 1) != std::string_view::npos) return false;
  return checksum_of(text.substr(0, end)) == text.substr(end);
}

}  // namespace orlop
