#include "storage/libraries.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/text/connection_string.h"
#include "guard.h"
#include "ports/callbacks.h"
#include "storage/host_store.h"

namespace orlop::c {
namespace {

using Open = decltype(orlop_storage_library::open);

constexpr const char* postgresql_library = ORLOP_POSTGRESQL_SONAME;

struct Libraries {
  std::mutex mutex;
  std::map<std::string, Open, std::less<>> by_scheme;
};

Libraries& libraries() {
  static Libraries all;
  return all;
}

std::string_view scheme_of(std::string_view url) { return url.substr(0, std::min(url.find(':'), url.size())); }

Open find_library(std::string_view scheme) {
  const std::lock_guard lock(libraries().mutex);
  const auto found = libraries().by_scheme.find(scheme);
  return found == libraries().by_scheme.end() ? nullptr : found->second;
}

// Returns the path of `name` in the folder of the file that contains this function: liborlop.so, the Python module or a
// program. Empty if the loader does not know the file.
std::string path_in_own_folder(std::string_view name) {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&orlop_load_storage), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failure;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, failure);
  return failure ? std::string() : (file.parent_path() / name).string();
}

// Searches the own folder before those of the system's loader: an installed prefix may have been moved, and a host such
// as Java or Node loads liborlop.so by its path.
Result<void> load_postgresql() {
  const std::string path = path_in_own_folder(postgresql_library);
  std::error_code failure;
  if (!path.empty() && std::filesystem::exists(path, failure)) return load_storage_library(path);
  return load_storage_library(postgresql_library);
}

Error error_of(orlop_error* refused) {
  Error error =
      make_error(static_cast<ErrorCode>(orlop_error_code(refused)), without_passwords(orlop_error_message(refused)));
  orlop_error_free(refused);
  return error;
}

}  // namespace

Result<void> load_storage_library(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* reason = ::dlerror();
    return make_error(ErrorCode::storage_failed,
                      "the storage library cannot be loaded: " + std::string(reason == nullptr ? path : reason));
  }
  const auto entry = reinterpret_cast<orlop_storage_entry_function>(::dlsym(library, "orlop_storage_entry"));
  const orlop_storage_library* const found = entry == nullptr ? nullptr : entry();
  const bool is_whole = found != nullptr && found->size >= sizeof(orlop_storage_library) && found->schemes != nullptr &&
                        found->open != nullptr;
  if (!is_whole)
    return misuse(path + " is not a storage library: it has no function orlop_storage_entry that describes one");
  const std::lock_guard lock(libraries().mutex);
  for (const char* const* scheme = found->schemes; *scheme != nullptr; ++scheme)
    libraries().by_scheme.insert_or_assign(*scheme, found->open);
  return {};
}

LibraryStore::~LibraryStore() {
  if (!is_kept_ && given_.release != nullptr) given_.release(given_.context);
}

Result<std::unique_ptr<LibraryStore>> open_by_library(std::string_view url) {
  const std::string_view scheme = scheme_of(url);
  if (scheme.size() == url.size()) return std::unique_ptr<LibraryStore>();  // a path, without a scheme
  Open open = find_library(scheme);
  if (open == nullptr && (scheme == "postgresql" || scheme == "postgres")) {
    if (auto loaded = load_postgresql(); !loaded) {
      return make_error(loaded.error().code,
                        "storage of " + std::string(scheme) +
                            ":// needs the library liborlop-postgresql (package orlop-postgresql); " +
                            loaded.error().message);
    }
    open = find_library(scheme);
  }
  if (open == nullptr) return std::unique_ptr<LibraryStore>();
  orlop_store store{};
  if (orlop_error* refused = open(&store, text_of(url), orlop_error_new)) return error_of(refused);
  auto opened = std::make_unique<LibraryStore>(store);
  ORLOP_CHECK(read_store(&store));
  return opened;
}

}  // namespace orlop::c

extern "C" orlop_error* orlop_load_storage(orlop_text path) {
  using namespace orlop;
  return c::guard([&]() -> Result<void> {
    ORLOP_CHECK(c::check_text(path, "the path of the storage library"));
    const std::string name(c::view_of(path));
    if (name.empty() || name.find('\0') != std::string::npos)
      return c::misuse("the path of the storage library must not be empty, and have no zero bytes");
    return c::load_storage_library(name);
  });
}
