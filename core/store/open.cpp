#include "store/open.h"

#include <cctype>
#include <string>

namespace orlop {
namespace {

// Returns the scheme before the first colon; empty for a plain path. A single letter is a drive, not a scheme.
std::string_view scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 1) return {};
  for (std::size_t index = 0; index < colon; ++index) {
    const unsigned char letter = static_cast<unsigned char>(url[index]);
    const bool allowed =
        std::isalpha(letter) || (index > 0 && (std::isdigit(letter) || letter == '+' || letter == '-'));
    if (!allowed) return {};
  }
  return url.substr(0, colon);
}

}  // namespace

Error no_such_store(std::string_view url) {
  const std::size_t slashes = url.find("://");
  const std::string shown =
      slashes == std::string_view::npos ? std::string(url) : std::string(url.substr(0, slashes)) + "://…";
  const std::string allowed =
      has_sqlite() ? "\"memory:\", \"sqlite:PATH\", \"postgresql://…\" or a path" : "\"memory:\" or \"postgresql://…\"";
  const std::string reason =
      has_sqlite()
          ? ""
          : ": this library was built without SQLite (ORLOP_SQLITE=OFF); a store of the host is the option store";
  return make_error(ErrorCode::invalid, "storage must be " + allowed + ", not \"" + shown + "\"" + reason);
}

Result<std::unique_ptr<Store>> open_store(std::string_view url, Durability durability, std::uint64_t mmap_size,
                                          LogWrites log_writes) {
  if (url == "memory:") return open_memory_store();
  ORLOP_TRY(path, sqlite_path_of(url));
  if (path.empty() || !has_sqlite()) return no_such_store(url);
  return open_sqlite_store(path, durability, mmap_size, log_writes);
}

Result<std::string> sqlite_path_of(std::string_view url) {
  const std::string_view scheme = scheme_of(url);
  if (url == "memory:" || (!scheme.empty() && scheme != "sqlite")) return std::string();
  const std::string_view path = scheme.empty() ? url : url.substr(scheme.size() + 1);
  if (path.empty() || path == ":memory:" || path.find('\0') != std::string_view::npos) return no_such_store(url);
  return sqlite_file_name(path);
}

std::string sqlite_file_name(std::string_view path) {
  return path.starts_with("file:") ? "./" + std::string(path) : std::string(path);
}

}  // namespace orlop
