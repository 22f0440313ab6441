// What is imported from a snapshot into a store in use, and what came of it.
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
  // The id of the root in the snapshot, or the names that lead to it, separated by "/": "acme", "acme/shop",
  // "acme/shop/production".
  std::string_view root;
  // Where it is created: the id or the names of an organization or project of this store. Empty: the one of the same
  // id, else of the same names.
  std::string_view parent;
  std::string_view name;  // of the root; empty: the one that it has
};

struct ImportSummary {
  Id root;
  std::size_t records = 0;
  // Of records whose id was taken here: the one in the snapshot, and the one here.
  std::vector<std::pair<Id, Id>> new_ids;
  std::map<std::string, std::size_t> left_out;  // by family
  std::uint64_t missing_secrets = 0;
};

// {"id", "family", "records", "new_ids": {…}, "left_out": {…}, "missing_secrets"}
std::string summary_json(const ImportSummary& summary, std::string_view family);

}  // namespace orlop
