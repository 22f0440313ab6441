#include "base/text/tar.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace orlop {
namespace {

constexpr std::size_t tar_block_size = 512;

// Reads a text that ends at its first zero byte.
std::string_view text_at(std::string_view block, std::size_t at, std::size_t size) {
  const std::string_view text = block.substr(at, size);
  return text.substr(0, text.find('\0'));
}

std::optional<std::size_t> octal(std::string_view digits) {
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  std::size_t number = 0;
  for (const char digit : digits.substr(0, digits.find(' '))) {
    if (digit < '0' || digit > '7') return std::nullopt;
    number = number * 8 + static_cast<std::size_t>(digit - '0');
  }
  return number;
}

// Checks the checksum: the sum of the header's bytes, with those of the sum itself counted as blanks.
bool has_right_sum(std::string_view header) {
  constexpr std::size_t sum_at = 148;
  constexpr std::size_t sum_size = 8;
  std::size_t sum = 0;
  for (std::size_t at = 0; at < header.size(); ++at) {
    sum += at >= sum_at && at < sum_at + sum_size ? std::size_t{' '} : static_cast<unsigned char>(header[at]);
  }
  return octal(text_at(header, sum_at, sum_size)) == sum;
}

Error refused(std::string_view reason) {
  return make_error(ErrorCode::invalid, "must be a tar archive" + std::string(reason));
}

std::string path_of(std::string_view header) {
  const std::string_view prefix =
      header.substr(257, 6) == std::string_view("ustar\0", 6) ? text_at(header, 345, 155) : std::string_view();
  std::string path = prefix.empty() ? std::string() : std::string(prefix) + "/";
  path += text_at(header, 0, 100);
  return path.starts_with("./") ? path.substr(2) : path;
}

}  // namespace

Result<std::vector<TarFile>> read_tar(std::string_view archive) {
  std::vector<TarFile> files;
  bool is_first = true;
  while (archive.size() >= tar_block_size) {
    const std::string_view header = archive.substr(0, tar_block_size);
    if (std::ranges::all_of(header, [](char byte) { return byte == '\0'; })) return files;
    const auto size = octal(text_at(header, 124, 12));
    if (!has_right_sum(header) || !size) return refused("");
    archive.remove_prefix(tar_block_size);
    if (*size > archive.size()) return refused(" that is whole");
    const char type = header[156];
    const bool is_link = type == '1' || type == '2';
    if (is_link)
      return refused(" without links, as tar --dereference --hard-dereference writes, not with the link " +
                     path_of(header).substr(0, tar_block_size));
    if (type == 'L') return refused(" with paths of at most 256 bytes");
    if (type == '0' || type == '\0') files.push_back({path_of(header), archive.substr(0, *size)});
    archive.remove_prefix(std::min(archive.size(), (*size + tar_block_size - 1) / tar_block_size * tar_block_size));
    is_first = false;
  }
  return is_first ? Result<std::vector<TarFile>>(refused("")) : files;
}

}  // namespace orlop
