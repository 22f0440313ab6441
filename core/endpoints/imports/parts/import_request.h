// Request for an import of a part of a snapshot into a store in use, and its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"

namespace orlop {

struct ImportRequest {
  std::string_view family;  // "organization", "project" or "environment"
  // Id of the root in the snapshot, or its path of names, separated by "/": "acme", "acme/shop",
  // "acme/shop/production".
  std::string_view root;
  // Parent of the new root: id or path of names of an organization or project of this store. Empty: the one with the
  // same id, else with the same names.
  std::string_view parent;
  std::string_view name;  // new name of the root; empty: unchanged
};

struct ImportSummary {
  Id root;
  std::size_t records = 0;
  // Changed ids, since theirs were taken: that in the snapshot, and that in this store.
  std::vector<std::pair<Id, Id>> new_ids;
  std::map<std::string, std::size_t> left_out;  // number by family
  std::uint64_t missing_secrets = 0;
};

// Returns {"id", "family", "records", "new_ids": {…}, "left_out": {…}, "missing_secrets"}.
std::string summary_json(const ImportSummary& summary, std::string_view family);

}  // namespace orlop
