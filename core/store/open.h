// Opens the store that a URL names.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "store/store.h"

namespace orlop {

// How much a commit of a durable store waits for.
enum class Durability : std::uint8_t {
  full,    // the disk has it (fsync at every commit)
  normal,  // the operating system has it; a loss of power may take the last commits, never the order
};

// The most of a file that SQLite maps into memory.
inline constexpr std::uint64_t mmap_size_max = 0x7fff0000;

// `mmap_size` bytes of a SQLite file, at most, are read through mapped memory: faster, but a file that gets shorter while it is open, or a disk that
// fails, then ends the process with SIGBUS. 0: none.
//
// "memory:" (or ""): gone with the engine. "sqlite:PATH" or a plain path: a SQLite file, made if it is not there.
// Errors: invalid (no store of that name), storage_busy, storage_failed, storage_newer, storage_corrupt.
Result<std::unique_ptr<Store>> open_store(std::string_view url, Durability durability = Durability::full, std::uint64_t mmap_size = 0);

std::unique_ptr<Store> open_memory_store();
Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability durability, std::uint64_t mmap_size = 0);

}  // namespace orlop
