// Handles of the C API: numbers in pointer types, which are never dereferenced. A handle names a slot of a table and
// the slot's generation, so that a closed, foreign or invented handle is always detected.
//
// Layout, from the high end: 16 bits for the table (no address of the machine begins with them), 24 bits of generation,
// 24 bits of slot. A slot whose generations are used up is not used again, so that no number is ever reused.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace orlop::c {

// Returns the number of forks between the process that loaded the library and this one.
std::uint32_t process_number();

// Handle: the incomplete type of the C API. Object: the type behind it. Tag: 16 bits, one for each table. Every
// function may be called from any thread; an object lives until its handle is taken and its last user has released it.
template <typename Handle, typename Object, std::uint16_t tag>
class HandleTable {
 public:
  constexpr HandleTable(const char* kind, bool bound_to_process) : kind_(kind), bound_to_process_(bound_to_process) {}

  // Throws std::bad_alloc.
  Handle* add(std::shared_ptr<Object> object) {
    const std::uint32_t index = take_slot();
    Slot& slot = slot_made(index);
    const std::lock_guard lock(slot.mutex);
    slot.process = process_number();
    slot.object = std::move(object);
    return handle_of(index, slot.generation);
  }

  Result<std::shared_ptr<Object>> find(const Handle* handle) {
    ORLOP_TRY(slot, place_of(handle));
    const std::lock_guard lock(slot->mutex);
    if (slot->generation != generation_of(handle) || !slot->object) return was_closed();
    return slot->object;
  }

  // Ends the handle and returns the object, which other users may still share.
  Result<std::shared_ptr<Object>> take(const Handle* handle) {
    ORLOP_TRY(slot, place_of(handle));
    std::shared_ptr<Object> object;
    {
      const std::lock_guard lock(slot->mutex);
      if (slot->generation != generation_of(handle) || !slot->object) return was_closed();
      object = std::move(slot->object);
      slot->object = nullptr;
      ++slot->generation;
      if (slot->generation == generation_end) return object;
    }
    const std::lock_guard lock(allocation_);
    free_.push_back(index_of(handle));  // does not allocate: take_slot() has reserved the memory
    return object;
  }

  // Reports whether the number has the tag of this table.
  static bool has_tag(const Handle* handle) { return number_of(handle) >> 48 == tag; }

  // Locked during a fork, so that the child gets a consistent table.
  std::mutex& allocation() { return allocation_; }

 private:
  struct Slot {
    std::mutex mutex;
    std::atomic<std::uint32_t> process = 0;
    std::uint32_t generation = 0;
    std::shared_ptr<Object> object;
  };
  static constexpr std::uint32_t chunk_size = 1024;
  static constexpr std::uint32_t chunk_count = 4096;
  static constexpr std::uint32_t generation_end = 1U << 24;
  using Chunk = std::array<Slot, chunk_size>;
  static_assert(sizeof(void*) == 8, "handles need 64 bits");

  static Handle* handle_of(std::uint32_t index, std::uint32_t generation) {
    const std::uint64_t number = (std::uint64_t{tag} << 48) | (std::uint64_t{generation} << 24) | index;
    return reinterpret_cast<Handle*>(static_cast<std::uintptr_t>(number));
  }
  static std::uint64_t number_of(const Handle* handle) { return reinterpret_cast<std::uintptr_t>(handle); }
  static std::uint32_t index_of(const Handle* handle) {
    return static_cast<std::uint32_t>(number_of(handle) & 0xFFFFFF);
  }
  static std::uint32_t generation_of(const Handle* handle) {
    return static_cast<std::uint32_t>((number_of(handle) >> 24) & 0xFFFFFF);
  }

  // Returns the slot that the handle names, whatever its generation.
  Result<Slot*> place_of(const Handle* handle) {
    if (handle == nullptr) return make_error(ErrorCode::misuse, std::string("the ") + kind_ + " is NULL");
    Slot* slot = has_tag(handle) ? slot_at(index_of(handle)) : nullptr;
    if (slot == nullptr) {
      return make_error(ErrorCode::foreign_handle, std::string("this is no ") + kind_ + " of this library");
    }
    if (bound_to_process_ && slot->process != process_number()) {
      return make_error(
          ErrorCode::foreign_handle,
          std::string("the ") + kind_ + " was opened before fork() by the parent process; open the store again here");
    }
    return slot;
  }

  Error was_closed() const {
    return make_error(ErrorCode::closed, std::string("the ") + kind_ + " was closed before this call");
  }

  // Null for an index that was never used.
  Slot* slot_at(std::uint32_t index) {
    return index < made_.load(std::memory_order_acquire) ? &slot_made(index) : nullptr;
  }
  Slot& slot_made(std::uint32_t index) {
    return (*chunks_[index / chunk_size].load(std::memory_order_acquire))[index % chunk_size];
  }

  std::uint32_t take_slot() {
    const std::lock_guard lock(allocation_);
    if (!free_.empty()) {
      const std::uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    const std::uint32_t index = made_.load(std::memory_order_relaxed);
    if (index % chunk_size == 0) {
      if (index / chunk_size == chunk_count) throw std::bad_alloc();
      free_.reserve(std::size_t{index} + chunk_size);
      chunks_[index / chunk_size].store(new Chunk, std::memory_order_release);
    }
    made_.store(index + 1, std::memory_order_release);
    return index;
  }

  const char* kind_;
  bool bound_to_process_;
  std::mutex allocation_;
  std::vector<std::uint32_t> free_;
  std::atomic<std::uint32_t> made_ = 0;
  std::array<std::atomic<Chunk*>, chunk_count> chunks_{};
};

}  // namespace orlop::c
