// The rows that readers of a SQLite file have read last, as long as the file is what it was then.
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

// What the changes of a group of transactions leave untrue in the cache.
class SqliteStaleRows {
 public:
  void add(const Changes& changes);
  // A record lies below another parent now.
  void add_move() { drops_all_lists_ = true; }
  void clear() noexcept;

 private:
  friend class SqliteRowCache;

  // The records of one family below a parent; family 0: of any.
  struct Place {
    Id parent;
    FamilyNumber family = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  std::vector<Id> ids_;
  std::vector<Place> places_;  // of new records
  bool drops_all_ = false;
  bool drops_all_lists_ = false;
  bool drops_all_names_ = false;
};

// Every row here is that of one header of the log. Any thread. Rows are shared, and never change.
class SqliteRowCache {
 public:
  // Names what the cache held at a time; another one after each change of the file.
  using Generation = std::uint64_t;
  using SharedRecord = Shared<Record>;
  using SharedMachine = Shared<Machine>;
  using List = std::vector<SharedRecord>;

  // For readers: what is known while the log has this header. If the cache is of another one it is emptied and of this
  // one from now on. nothing: the cache is being changed, and cannot be used.
  std::optional<Generation> enter(const SqliteLogHeader& header) noexcept;

  // Empty: not known, or no longer of that generation.
  SharedRecord record(Generation generation, const Id& id) const;
  SharedMachine machine(Generation generation, const Id& id) const;
  std::optional<Id> find(Generation generation, const std::string& name_key) const;
  // Only ranges by parent.
  std::optional<List> records(Generation generation, const RecordRange& range) const;

  // Keeps what was read in a snapshot of the header of that generation; nothing, if the cache is of a later one or
  // memory has run out.
  void put(Generation generation, SharedRecord record) noexcept;
  void put(Generation generation, SharedMachine machine) noexcept;
  void put(Generation generation, const std::string& name_key, const Id& id) noexcept;
  void put(Generation generation, const RecordRange& range, const List& list) noexcept;

  // For the writer, around a COMMIT: what `stale` names is forgotten, and the rest is of the header after it. All is
  // forgotten if the commit has failed (`after` is nothing), or if another process has changed the file as well. In
  // between no reader enters.
  void begin_change() noexcept;
  void end_change(const SqliteLogHeader& before, const std::optional<SqliteLogHeader>& after,
                  const SqliteStaleRows& stale) noexcept;

 private:
  using Place = SqliteStaleRows::Place;
  struct PlaceHash {
    std::size_t operator()(const Place& place) const noexcept { return std::hash<Id>()(place.parent) + place.family; }
  };
  // What the last range of a place has named.
  struct KnownList {
    Id after;
    std::size_t limit = 0;
    std::vector<Id> ids;
  };

  void forget_all() noexcept;
  void forget(const SqliteStaleRows& stale) noexcept;
  void keep(const SharedRecord& record);

  mutable std::shared_mutex mutex_;  // guards what follows
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
