// Search of an organization's audit log: its events in the feed, with their targets, projects and environments.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "endpoints/history/parts/audit_names.h"
#include "model/value.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::int64_t audit_page_size_default = 10;

struct AuditFilter {
  std::int64_t page_size = audit_page_size_default;
  Instant from;
  Instant to = {INT64_MAX};
  std::optional<std::uint64_t> before;  // from continueToken
  std::optional<std::uint64_t> after;   // from stepBackToken
};

// Event with the data of its line.
struct AuditEntry {
  Event event;
  AuditNames names;
  Id target;
  std::optional<Id> project;
  std::optional<Id> environment;
  std::string origin;
  Value detail = Value::object();
};

struct AuditedRecord {
  std::string name;
  Id parent;
};

// Cache of records that entries refer to.
class AuditedRecords {
 public:
  explicit AuditedRecords(Unit& unit) : unit_(unit) {}
  // Returns nullopt if the record is gone.
  Result<std::optional<AuditedRecord>> find(const Id& id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    std::optional<AuditedRecord> found;
    ORLOP_TRY(record, unit_.record(id));
    if (record) found = AuditedRecord{name_of(*record), record->parent};
    return known_.emplace(id, std::move(found)).first->second;
  }

  // Keeps the name from an event of the page, for a record that may be deleted.
  void remember(const Id& id, std::string_view name) { told_.emplace(id, name); }
  std::string noted_name(const Id& id) const {
    const auto found = told_.find(id);
    return found == told_.end() ? std::string() : found->second;
  }

 private:
  Unit& unit_;
  std::map<Id, std::optional<AuditedRecord>> known_;
  std::map<Id, std::string> told_;
};

// Reads the filter from the query parameters of the log's operations. Error invalid: a time or a cursor is malformed.
Result<AuditFilter> audit_filter(const Call& call);

struct AuditPage {
  std::vector<AuditEntry> entries;  // newest first
  std::uint64_t seen_to = 0;        // number of the event after which the next page continues
  bool has_more = false;            // entries are left beyond it
};

// Reads at most 10,000 events of the organization that is first in the path, and returns at most `page_size` entries.
Result<AuditPage> look_at_audit(Unit& unit, const Call& call, const AuditFilter& filter, AuditedRecords& names);

}  // namespace orlop
