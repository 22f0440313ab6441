// A look at the audit log of an organization: which events of the feed belong to it, what they are about, and where
// that lies.
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
  std::optional<std::uint64_t> before;  // of continueToken
  std::optional<std::uint64_t> after;   // of stepBackToken
};

// An event with all that its line says of it.
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

// Records of the entries, each read once.
class AuditedRecords {
 public:
  explicit AuditedRecords(Unit& unit) : unit_(unit) {}
  // Nothing if it has gone.
  Result<std::optional<AuditedRecord>> find(const Id& id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    std::optional<AuditedRecord> found;
    ORLOP_TRY(record, unit_.record(id));
    if (record) found = AuditedRecord{name_of(*record), record->parent};
    return known_.emplace(id, std::move(found)).first->second;
  }

  // The name that an event of the page holds of a record that may be deleted.
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

// The filter of the query parameters that the operations on the log have. Error invalid: a time or a cursor is
// malformed.
Result<AuditFilter> audit_filter(const Call& call);

struct AuditPage {
  std::vector<AuditEntry> entries;  // the newest first
  std::uint64_t seen_to = 0;        // where the next look in the same direction begins
  bool has_more = false;            // beyond it
};

// Looks at the organization that the path names first, at no more than 10,000 events; `page_size` entries, or fewer.
Result<AuditPage> look_at_audit(Unit& unit, const Call& call, const AuditFilter& filter, AuditedRecords& names);

}  // namespace orlop
