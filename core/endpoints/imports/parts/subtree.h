// Part of a snapshot to import.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// A root and the configuration below it, without requests, runs, backups, logs, invoices and meters.
struct Subtree {
  std::vector<Record> above;    // ancestors of the root, from the organization down
  std::vector<Record> records;  // root first, and each record after its parent
  // Number of resources that are not configuration, by family; records below them are not counted.
  std::map<std::string, std::size_t> left_out;

  const Record& root() const { return records.front(); }
};

// Returns the organization, project or environment with this id or path of names, as in "acme/shop". Names may contain
// a "/". `what` begins the messages. Errors: invalid (another family), not_found, conflict (several records have the
// path).
Result<Record> find_by_path(Transaction& store, std::string_view family, std::string_view path, std::string_view what);

// Errors: conflict (an environment of the tree is being cloned), storage_*.
Result<Subtree> subtree_of(Transaction& store, Record root);

}  // namespace orlop
