// A store of the host over an ordered key-value store (LMDB, RocksDB, FoundationDB, a map): the host writes a few
// functions (KeyValues, KeyValueStore), and this header implements storage.h over them.
//
// Keys and values are bytes. The layout is private and may change before 1.0.0: its number is stored with the pairs,
// and a transaction on pairs of another layout, or of another program, fails (storage_newer, storage_foreign). Each row
// has its own key, one key for each index that finds it, and one for each record that it refers to; reading a list
// costs one scan of a range and one get() for each row. Only one engine may use such a store.
#ifndef ORLOP_KEY_VALUE_HPP
#define ORLOP_KEY_VALUE_HPP

#include "orlop/standard.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orlop/key_value_rows.hpp"
#include "orlop/storage.h"

namespace orlop {

// The pairs of the store at one instant. Used by one thread at a time. Functions may throw: std::bad_alloc becomes
// ORLOP_ERROR_OUT_OF_MEMORY, any other std::exception ORLOP_ERROR_STORAGE_FAILED with its what().
class KeyValues {
 public:
  // Returns false to end the scan. Its arguments are valid until it returns.
  using Visitor = std::function<bool(std::string_view key, std::string_view value)>;

  virtual ~KeyValues() = default;
  virtual std::optional<std::string> get(std::string_view key) const = 0;
  // Visits the pairs from the first key that is not less than `from`, in ascending order of the keys' bytes.
  virtual void scan(std::string_view from, const Visitor& visit) const = 0;
};

// New value of each changed key; nullopt: the key is erased.
using KeyValueChanges = std::map<std::string, std::optional<std::string>, std::less<>>;

// Used from any thread; write() by one thread at a time. Functions may throw, as those of KeyValues.
class KeyValueStore {
 public:
  virtual ~KeyValueStore() = default;
  // Returns the state at this instant: later writes do not change it, and it blocks none of them.
  virtual std::shared_ptr<const KeyValues> snapshot() = 0;
  // Makes all of the changes, or none if it throws. When it returns, they are as durable as the store promises.
  virtual void write(const KeyValueChanges& changes) = 0;
};

namespace key_values {

// ---- Transactions ----

struct Refused {
  orlop_code code;
  const char* words;
};

struct Store {
  std::shared_ptr<KeyValueStore> pairs;
  orlop_error_maker make_error;
  std::atomic<bool> has_layout = false;  // the number of this layout is stored
  std::binary_semaphore writer{1};
};

// A snapshot, overlaid with the changes of this transaction.
class Transaction {
 public:
  Transaction(Store& store, bool writes) : store_(store), writes_(writes) {
    if (writes_) store_.writer.acquire();
    try {
      seen_ = store_.pairs->snapshot();
      if (!store_.has_layout) require_layout();
    } catch (...) {
      if (writes_) store_.writer.release();
      throw;
    }
  }
  ~Transaction() {
    if (writes_) store_.writer.release();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  Store& store() { return store_; }
  void commit() {
    if (!writes_ || changes_.empty()) return;
    if (!store_.has_layout) changes_[layout_key] = ascending(layout);
    store_.pairs->write(changes_);
    store_.has_layout = true;
  }
  void apply(const orlop_changes& changes);

  std::optional<std::string> get(std::string_view at) const {
    const auto changed = changes_.find(at);
    return changed != changes_.end() ? changed->second : seen_->get(at);
  }
  // Visits the rest of each key that begins with `prefix`, from `prefix` + `from` on.
  void scan(const std::string& prefix, std::string_view from,
            const std::function<bool(std::string_view rest)>& visit) const;

 private:
  template <typename Row>
  void put(const std::string& at, Row& row, const Kept<Row>* before) {
    if (before != nullptr) {
      for (std::string& way : ways_to(before->row)) changes_[std::move(way)] = std::nullopt;
    }
    const std::string to_id = at.substr(1);
    for (std::string& way : ways_to(row)) changes_[std::move(way)] = to_id;
    changes_[at] = packed(row);
  }
  template <typename Row>
  void erase(const std::string& at) {
    const auto kept = unpacked<Row>(get(at));
    if (kept == nullptr) return;
    for (std::string& way : ways_to(kept->row)) changes_[std::move(way)] = std::nullopt;
    changes_[at] = std::nullopt;
  }
  void put(const orlop_record_write& write);
  void put(const orlop_machine& row, bool is_restore);
  void put(const orlop_event& event, bool is_restore);
  // Removes the first event; returns false if it is also the last one.
  bool forget_event();
  // Throws Refused if the pairs have another layout. An empty store is accepted.
  void require_layout() const {
    const auto number = seen_->get(layout_key);
    bool is_empty = true;
    if (!number) seen_->scan({}, [&](std::string_view, std::string_view) { return is_empty = false; });
    if (!number && !is_empty)
      throw Refused{
          ORLOP_ERROR_STORAGE_FOREIGN,
          "the key-value store holds pairs that are not of key_value.hpp, or of a layout before it had numbers"};
    if (!number) return;
    if (*number != ascending(layout))
      throw Refused{ORLOP_ERROR_STORAGE_NEWER,
                    "the pairs have another layout than this version of key_value.hpp writes"};
    store_.has_layout = true;
  }

  Store& store_;
  bool writes_;
  std::shared_ptr<const KeyValues> seen_;
  KeyValueChanges changes_;
};

inline void Transaction::scan(const std::string& prefix, std::string_view from,
                              const std::function<bool(std::string_view rest)>& visit) const {
  const std::string begin = prefix + std::string(from);
  auto change = changes_.lower_bound(begin);
  bool goes_on = true;
  const auto show = [&](std::string_view at) {
    return goes_on = at.starts_with(prefix) && visit(at.substr(prefix.size()));
  };
  const auto show_change = [&] {
    const auto& [at, value] = *change++;
    return !value || show(at);
  };
  seen_->scan(begin, [&](std::string_view at, std::string_view) {
    while (change != changes_.end() && change->first < at) {
      if (!show_change()) return false;
    }
    return change != changes_.end() && change->first == at ? show_change() : show(at);
  });
  while (goes_on && change != changes_.end()) (void)show_change();
}

inline void Transaction::put(const orlop_record_write& write) {
  const std::string at = record_key(write.record->id);
  const auto before = unpacked<Record>(get(at));
  if ((before ? before->row.row.revision : 0) != write.expected_revision)
    throw Refused{ORLOP_ERROR_LOST_UPDATE, "the record is not of the expected revision"};
  Record record{*write.record, before ? before->row.name_key : orlop_text{},
                before ? before->row.references : std::vector<orlop_id>{}};
  if (write.has_name_key != 0) record.name_key = write.name_key;
  if (write.has_references != 0) record.references.assign(write.references, write.references + write.reference_count);
  std::ranges::sort(record.references, {}, [](const orlop_id& id) { return view(id); });
  const auto is_same = [](const orlop_id& a, const orlop_id& b) { return view(a) == view(b); };
  record.references.erase(std::unique(record.references.begin(), record.references.end(), is_same),
                          record.references.end());
  const std::optional<std::string> owner =
      record.name_key.size != 0 ? get(key('k', view(record.name_key))) : std::nullopt;
  if (owner && *owner != view(record.row.id)) throw Refused{ORLOP_ERROR_CONFLICT, "the name key is taken"};
  put(at, record, before.get());
}

inline void Transaction::put(const orlop_machine& row, bool is_restore) {
  const std::string at = machine_key(row.id);
  const auto before = unpacked<Machine>(get(at));
  const std::uint64_t revision = before ? before->row.row.revision : 0;
  if (is_restore ? revision != 0 : revision + 1 != row.revision)
    throw Refused{ORLOP_ERROR_LOST_UPDATE, "the machine is not of the expected revision"};
  Machine machine{row, {row.phases, row.phases + row.phase_count}};
  put(at, machine, before.get());
}

inline void Transaction::put(const orlop_event& event, bool is_restore) {
  std::uint64_t last = 0;
  if (const auto bytes = get(last_event_key)) last = number_of(*bytes);
  orlop_event numbered = event;
  numbered.sequence = last == 0 && is_restore && event.sequence != 0 ? event.sequence : last + 1;
  put<orlop_event>(event_key(numbered.sequence), numbered, nullptr);
  if (last == 0) changes_[first_event_key] = ascending(numbered.sequence);
  changes_[last_event_key] = ascending(numbered.sequence);
}

inline bool Transaction::forget_event() {
  const auto first = get(first_event_key);
  if (!first || *first == get(last_event_key)) return false;
  erase<orlop_event>(key('e', *first));
  changes_[first_event_key] = ascending(number_of(*first) + 1);
  return true;
}

inline void Transaction::apply(const orlop_changes& changes) {
  for (std::size_t at = 0; at < changes.erasure_count; ++at) {
    erase<Record>(record_key(changes.erasures[at]));
    erase<Machine>(machine_key(changes.erasures[at]));
  }
  for (std::size_t at = 0; at < changes.record_count; ++at) put(*changes.records[at]);
  for (std::size_t at = 0; at < changes.machine_count; ++at) put(*changes.machines[at], changes.is_restore != 0);
  for (std::size_t at = 0; at < changes.event_count; ++at) put(*changes.events[at], changes.is_restore != 0);
  for (std::uint64_t left = changes.forgotten_events; left > 0 && forget_event(); --left) {}
}

// ---- The functions of storage.h ----

inline Transaction& of(void* transaction) { return *static_cast<Transaction*>(transaction); }

// Runs `act` and returns its exception as an error, or null.
template <typename Act>
orlop_error* guarded(orlop_error_maker make_error, const Act& act) noexcept {
  try {
    act();
    return nullptr;
  } catch (const Refused& refused) {
    return make_error(refused.code, {refused.words, std::strlen(refused.words)});
  } catch (const std::bad_alloc&) {
    return make_error(ORLOP_ERROR_OUT_OF_MEMORY, {});
  } catch (const std::exception& failure) {
    return make_error(ORLOP_ERROR_STORAGE_FAILED, {failure.what(), std::strlen(failure.what())});
  } catch (...) {
    return make_error(ORLOP_ERROR_STORAGE_FAILED, ORLOP_TEXT("the key-value store threw what is no std::exception"));
  }
}

inline bool show(const Record& record, orlop_record_visitor visit, void* visitor) {
  orlop_record row = record.row;
  row.size = sizeof row;
  return visit(visitor, &row) != 0;
}
inline bool show(const Machine& machine, orlop_machine_visitor visit, void* visitor) {
  orlop_machine row = machine.row;
  row.size = sizeof row, row.phases = machine.phases.data(), row.phase_count = machine.phases.size();
  return visit(visitor, &row) != 0;
}
inline bool show(const orlop_event& event, orlop_event_visitor visit, void* visitor) {
  orlop_event row = event;
  row.size = sizeof row;
  return visit(visitor, &row) != 0;
}

inline void visit_records(Transaction& in, const orlop_range& range, orlop_record_visitor visit, void* visitor) {
  std::uint64_t left = range.limit;
  if (left == 0) return;
  in.scan(key(range.by == ORLOP_BY_PARENT ? 'c' : 't', view(range.key)), view(range.after), [&](std::string_view id) {
    if (id == view(range.after)) return true;
    const auto kept = unpacked<Record>(in.get(key('r', id)));
    if (range.family != 0 && kept->row.row.family != range.family) return true;
    return show(kept->row, visit, visitor) && --left > 0;
  });
}

inline void visit_machines(Transaction& in, const orlop_range& range, orlop_machine_visitor visit, void* visitor) {
  std::vector<std::string> ids;
  if (range.by == ORLOP_BY_OWNER) {
    in.scan(key('o', view(range.key)), {}, [&](std::string_view id) { return ids.emplace_back(id), true; });
  } else {
    const std::string partition =
        range.has_partition != 0 ? std::string(1, static_cast<char>(range.partition)) : std::string();
    const std::size_t skipped = 1 - partition.size();  // of the keys of all partitions
    in.scan(key('a', partition), {},
            [&](std::string_view rest) { return ids.emplace_back(rest.substr(skipped)), true; });
    std::ranges::sort(ids);
  }
  for (const std::string& id : ids) {
    const auto kept = unpacked<Machine>(in.get(key('m', id)));
    if ((range.family == 0 || kept->row.row.family == range.family) && !show(kept->row, visit, visitor)) return;
  }
}

inline void visit_events(Transaction& in, const orlop_event_range& range, orlop_event_visitor visit, void* visitor) {
  std::string prefix = "e";
  if (!is_nil(range.organization)) prefix = key('u', view(range.organization));
  else if (!is_nil(range.request)) prefix = key('q', view(range.request));
  else if (!is_nil(range.subject)) prefix = key('s', view(range.subject));
  if (range.after == UINT64_MAX || range.limit == 0) return;
  const bool is_descending = range.newest_first != 0;
  std::vector<std::string> found;
  in.scan(prefix, ascending(range.after + 1), [&](std::string_view sequence) {
    if (number_of(sequence) >= range.before) return false;
    found.emplace_back(sequence);
    return is_descending || found.size() < range.limit;
  });
  if (is_descending) std::ranges::reverse(found);
  if (found.size() > range.limit) found.resize(range.limit);
  for (const std::string& sequence : found) {
    const auto kept = unpacked<orlop_event>(in.get(key('e', sequence)));
    if (!show(kept->row, visit, visitor)) return;
  }
}

}  // namespace key_values

// Makes a store for options.store. `make_error`: orlop_error_new of the library that uses the store; a storage library
// passes the argument of its open(). The engine frees the store by release(); if orlop_open fails, the host calls
// release() itself.
inline orlop_store key_value_store(std::shared_ptr<KeyValueStore> pairs,
                                   orlop_error_maker make_error = orlop_error_new) {
  namespace kv = key_values;
  orlop_store out{};
  out.size = sizeof out;
  out.context = new kv::Store{std::move(pairs), make_error};
  out.begin = [](void* context, orlop_access access, void** transaction) {
    kv::Store& store = *static_cast<kv::Store*>(context);
    return kv::guarded(store.make_error,
                       [&] { *transaction = new kv::Transaction(store, access == ORLOP_ACCESS_WRITE); });
  };
  out.record = [](void* transaction, const orlop_id* id, orlop_record_visitor visit, void* visitor) {
    return kv::guarded(kv::of(transaction).store().make_error, [&] {
      if (const auto kept = kv::unpacked<kv::Record>(kv::of(transaction).get(kv::record_key(*id))))
        kv::show(kept->row, visit, visitor);
    });
  };
  out.machine = [](void* transaction, const orlop_id* id, orlop_machine_visitor visit, void* visitor) {
    return kv::guarded(kv::of(transaction).store().make_error, [&] {
      if (const auto kept = kv::unpacked<kv::Machine>(kv::of(transaction).get(kv::machine_key(*id))))
        kv::show(kept->row, visit, visitor);
    });
  };
  out.find = [](void* transaction, orlop_text name_key, orlop_id* id) {
    return kv::guarded(kv::of(transaction).store().make_error, [&] {
      const auto found = kv::of(transaction).get(kv::key('k', kv::view(name_key)));
      *id = found ? kv::id_of(*found) : orlop_id{};
    });
  };
  out.links = [](void* transaction, const orlop_id* id, orlop_links_visitor visit, void* visitor) {
    return kv::guarded(kv::of(transaction).store().make_error, [&] {
      const auto kept = kv::unpacked<kv::Record>(kv::of(transaction).get(kv::record_key(*id)));
      if (kept != nullptr) visit(visitor, kept->row.name_key, kept->row.references.data(), kept->row.references.size());
    });
  };
  out.records = [](void* transaction, const orlop_range* range, orlop_record_visitor visit, void* visitor) {
    return kv::guarded(kv::of(transaction).store().make_error,
                       [&] { kv::visit_records(kv::of(transaction), *range, visit, visitor); });
  };
  out.machines = [](void* transaction, const orlop_range* range, orlop_machine_visitor visit, void* visitor) {
    return kv::guarded(kv::of(transaction).store().make_error,
                       [&] { kv::visit_machines(kv::of(transaction), *range, visit, visitor); });
  };
  out.events = [](void* transaction, const orlop_event_range* range, orlop_event_visitor visit, void* visitor) {
    return kv::guarded(kv::of(transaction).store().make_error,
                       [&] { kv::visit_events(kv::of(transaction), *range, visit, visitor); });
  };
  out.apply = [](void* transaction, const orlop_changes* changes) {
    return kv::guarded(kv::of(transaction).store().make_error, [&] { kv::of(transaction).apply(*changes); });
  };
  out.commit = [](void* transaction) {
    return kv::guarded(kv::of(transaction).store().make_error, [&] { kv::of(transaction).commit(); });
  };
  out.end = [](void* transaction) { delete static_cast<kv::Transaction*>(transaction); };
  out.release = [](void* context) { delete static_cast<kv::Store*>(context); };
  return out;
}

}  // namespace orlop

#endif
