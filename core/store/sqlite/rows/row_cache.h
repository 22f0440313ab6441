// Cache of the rows that readers of a SQLite file have last read, valid while the file is unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/shared.h"
#include "store/sqlite/log/log_header.h"
#include "store/sqlite/rows/recent.h"
#include "store/store.h"

namespace orlop {

// Entries of the cache that the changes of a group of transactions invalidate.
class SqliteStaleRows {
 public:
  void add(const Changes& changes);
  // Notes that a record has moved to another parent.
  void add_move() { drops_all_lists_ = true; }
  void clear() noexcept;

 private:
  friend class SqliteRowCache;

  // Key of a list: records of one family below a parent; family 0: of any.
  struct Place {
    Id parent;
    FamilyNumber family = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  std::vector<Id> ids_;
  std::vector<Place> places_;  // parents and families of new records
  bool drops_all_ = false;
  bool drops_all_lists_ = false;
  bool drops_all_names_ = false;
};

// All rows belong to one header of the log. Thread-safe. Rows are shared, and never change.
class SqliteRowCache {
 public:
  // Identifies a state of the cache; differs after each change of the file.
  using Generation = std::uint64_t;
  using SharedRecord = Shared<Record>;
  using SharedMachine = Shared<Machine>;
  using List = std::vector<SharedRecord>;

  // For readers: returns the generation for this header of the log. If the cache belongs to another header, empties it
  // first. nullopt: a change is in progress, and the cache cannot be used.
  std::optional<Generation> enter(const SqliteLogHeader& header) noexcept;

  // Null or nullopt: not in the cache, or the generation is outdated.
  SharedRecord record(Generation generation, const Id& id) const;
  SharedMachine machine(Generation generation, const Id& id) const;
  std::optional<Id> find(Generation generation, const std::string& name_key) const;
  // Only for ranges by parent.
  std::optional<List> records(Generation generation, const RecordRange& range) const;

  // Keeps rows that were read in a snapshot of that generation's header. Does nothing if the cache has a later
  // generation or memory runs out.
  void put(Generation generation, SharedRecord record) noexcept;
  void put(Generation generation, SharedMachine machine) noexcept;
  void put(Generation generation, const std::string& name_key, const Id& id) noexcept;
  void put(Generation generation, const RecordRange& range, const List& list) noexcept;

  // For the writer, around a COMMIT: drops the entries in `stale`, and moves the others to the header after it. Drops
  // all if the commit has failed (`after` is nullopt), or if another process has changed the file, too. No reader
  // enters in between.
  void begin_change() noexcept;
  void end_change(const SqliteLogHeader& before, const std::optional<SqliteLogHeader>& after,
                  const SqliteStaleRows& stale) noexcept;

 private:
  using Place = SqliteStaleRows::Place;
  struct PlaceHash {
    std::size_t operator()(const Place& place) const noexcept { return std::hash<Id>()(place.parent) + place.family; }
  };
  // Result of the last range read for a Place.
  struct KnownList {
    Id after;
    std::size_t limit = 0;
    std::vector<Id> ids;
  };

  void forget_all() noexcept;
  void forget(const SqliteStaleRows& stale) noexcept;
  void keep(const SharedRecord& record);

  mutable std::shared_mutex mutex_;  // guards the members below
  Generation generation_ = 1;
  std::optional<SqliteLogHeader> header_;
  bool is_changing_ = false;
  Recent<Id, SharedRecord> records_;
  Recent<Id, SharedMachine> machines_;
  Recent<std::string, Id> names_;
  Recent<Place, KnownList, PlaceHash> lists_;

 public:
  SqliteRowCache();
};

}  // namespace orlop
