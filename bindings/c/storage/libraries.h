// Stores in shared libraries, found by the scheme of a URL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "orlop/storage.h"

namespace orlop::c {

// Loads a library, which stays loaded. Errors: storage_failed, misuse.
Result<void> load_storage_library(const std::string& path);

// A store that a library has opened. The destructor releases it unless keep() was called.
class LibraryStore {
 public:
  explicit LibraryStore(const orlop_store& given) : given_(given) {}
  ~LibraryStore();
  LibraryStore(const LibraryStore&) = delete;
  LibraryStore& operator=(const LibraryStore&) = delete;
  const orlop_store& functions() const { return given_; }
  void keep() { is_kept_ = true; }

 private:
  orlop_store given_;
  bool is_kept_ = false;
};

// Opens the store of a URL with the scheme of a library; nullptr if it has another scheme or none. Errors: those of the
// library.
Result<std::unique_ptr<LibraryStore>> open_by_library(std::string_view url);

}  // namespace orlop::c
