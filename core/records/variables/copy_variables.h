// Copies of variables, for clones of services and environments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/value.h"
#include "records/variables/visible_variables.h"
#include "unit/unit.h"

namespace orlop {

// Source and destination of a copy: the owners above both, of the same depth.
struct VariableCopy {
  VariableOwners source;
  VariableOwners copy;
  bool is_in_parts = false;  // others may have written variables since the first part: keys that are taken are skipped
};
Result<VariableCopy> variable_copy(Unit& unit, const Record& source, const Record& copy);

// Variables of an owner that one call copies: at most `limit`, after the id `after`.
struct CopyRange {
  Id after = {};
  std::size_t limit = SIZE_MAX;
};
struct CopiedVariables {
  // Aliases, overrides or texts may name other services: call copy_sibling_links().
  bool names_siblings = false;
  Id last;                        // last variable copied if there are more; nil: all are copied
  std::vector<std::string> lost;  // keys of aliases without a copy, since their target has none
};

// Copies the variables directly in the nearest owner of `source` to that of `copy`. Aliases and overrides name the
// copies of their targets; the call that reaches the last variable copies them. Those of built-ins of other services,
// which may not have been copied yet, are left to copy_sibling_links().
Result<CopiedVariables> copy_variables(Unit& unit, const VariableCopy& places, const CopyRange& range = {});

// Copies the rest once all services are copied: aliases and overrides that name services by name, and references inside
// of texts (copied_texts.h). An override without its variable in the copy becomes a variable. Returns the keys of
// aliases that are left out.
Result<std::vector<std::string>> copy_sibling_links(Unit& unit, const VariableCopy& places);

// Returns the service of the same kind and name in the environment of the copy; the service itself if it is the same
// environment; nullopt if none.
Result<std::optional<Id>> counterpart_of_service(Unit& unit, const VariableCopy& places, const Record& service);

// Metadata entry of a copy that lists aliases without a copy.
inline constexpr std::string_view lost_aliases_name = "aliases_not_copied";
// Adds the keys and emits an event. `copy`: the record with the entry.
Result<void> list_lost_aliases(Unit& unit, const Id& copy, std::span<const std::string> keys);
// Removes the entry of an earlier copy from the body of a new one.
void forget_lost_aliases(Value& body);

}  // namespace orlop
