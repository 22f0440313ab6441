// Opens the store that a URL names.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "store/store.h"

namespace orlop {

// What a commit of a durable store waits for.
enum class Durability : std::uint8_t {
  full,    // the disk (fsync at every commit)
  normal,  // the operating system; a loss of power may lose the last commits, never their order
};

// The maximum of mapped bytes of a file.
inline constexpr std::uint64_t mmap_size_max = 0x7fff0000;

// At most `mmap_size` bytes of a SQLite file are read through mapped memory: faster, but a file that is truncated while it is open, or a failing disk, then ends
// the process with SIGBUS. 0: none.
//
// "memory:" (or ""): lost at close. "sqlite:PATH" or a plain path: a SQLite file, created if it does not exist.
// Errors: invalid (unknown kind of store), storage_busy, storage_failed, storage_newer, storage_corrupt.
Result<std::unique_ptr<Store>> open_store(std::string_view url, Durability durability = Durability::full, std::uint64_t mmap_size = 0);

std::unique_ptr<Store> open_memory_store();
Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability durability, std::uint64_t mmap_size = 0);

}  // namespace orlop
