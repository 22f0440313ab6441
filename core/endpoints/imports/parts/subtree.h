// The part of a snapshot that an import takes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// A root and all below it that is configuration: no requests, runs, backups, logs, invoices and meters.
struct Subtree {
  std::vector<Record> above;    // of the root, from the organization down
  std::vector<Record> records;  // the root first, and each after its parent
  // Resources that are none, by family; what lies below them is not counted.
  std::map<std::string, std::size_t> left_out;

  const Record& root() const { return records.front(); }
};

// The organization, project or environment with this id, or to which these names lead, as in "acme/shop". Names may
// hold a "/" themselves. `what` begins the messages. Errors: invalid (another family), not_found, conflict (the names
// lead to several).
Result<Record> find_by_path(Transaction& store, std::string_view family, std::string_view path, std::string_view what);

// Errors: conflict (an environment of it is still being cloned), storage_*.
Result<Subtree> subtree_of(Transaction& store, Record root);

}  // namespace orlop
