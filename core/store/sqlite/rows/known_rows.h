// Cache of the rows that the writing connection of a SQLite file has last read or written: transactions often read rows
// that the one before has changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/id.h"
#include "base/shared.h"
#include "store/store.h"

namespace orlop {

// The cache equals the file, as long as its owner calls forget() after a rollback or a failed transaction, and after a
// change by another connection. Each change of a row drops or replaces it. One thread at a time. May throw
// std::bad_alloc, which leaves the cache valid.
class SqliteKnownRows {
 public:
  // Null: it must be read from the file.
  Shared<Machine> machine(const Id& id) const {
    return rows_ == nullptr ? Shared<Machine>() : found_in(rows_->machines, id);
  }
  Shared<Record> record(const Id& id) const {
    return rows_ == nullptr ? Shared<Record>() : found_in(rows_->records, id);
  }
  const std::optional<FeedEnd>& feed_end() const { return feed_end_; }

  void know(const Shared<Machine>& machine) { put_into(rows().machines, machine); }
  // Rows with long texts are not kept.
  void know(const Shared<Record>& record);
  void know(const FeedEnd& end) { feed_end_ = end; }

  void drop_record(const Id& id) {
    if (rows_ != nullptr) drop_from(rows_->records, id);
  }
  void drop_machine(const Id& id) {
    if (rows_ != nullptr) drop_from(rows_->machines, id);
  }
  void forget() noexcept;

 private:
  template <typename Row>
  struct Slot {
    std::uint64_t generation = 0;  // valid if it equals generation_
    Shared<Row> row;
  };
  template <typename Row, std::size_t count>  // `count` is a power of two.
  using Slots = std::array<Slot<Row>, count>;

  // Uses the upper bits of the hash, a product.
  template <std::size_t count>
  static std::size_t place_of(const Id& id) {
    return (static_cast<std::uint64_t>(std::hash<Id>()(id)) >> 54) % count;
  }

  template <typename Row, std::size_t count>
  Shared<Row> found_in(const Slots<Row, count>& slots, const Id& id) const {
    const Slot<Row>& slot = slots[place_of<count>(id)];
    return slot.generation == generation_ && slot.row->id == id ? slot.row : Shared<Row>();
  }
  template <typename Row, std::size_t count>
  void put_into(Slots<Row, count>& slots, const Shared<Row>& row) {
    slots[place_of<count>(row->id)] = {generation_, row};
  }
  template <typename Row, std::size_t count>
  void drop_from(Slots<Row, count>& slots, const Id& id) {
    Slot<Row>& slot = slots[place_of<count>(id)];
    if (slot.generation == generation_ && slot.row->id == id) slot = {};
  }

  struct Rows {
    Slots<Machine, 1024> machines;  // a batch of a job reads 500 before it writes them
    Slots<Record, 256> records;
  };
  Rows& rows() {
    if (rows_ == nullptr) rows_ = std::make_unique<Rows>();
    return *rows_;
  }

  std::uint64_t generation_ = 1;
  std::unique_ptr<Rows> rows_;  // null until the first row: an engine that only reads needs no memory for it
  std::optional<FeedEnd> feed_end_;
};

}  // namespace orlop
