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

// What is copied, and to where: the owners above both, of the same depth.
struct VariableCopy {
  VariableOwners source;
  VariableOwners copy;
  bool is_in_parts = false;  // others may have written there since the first part: a key that is taken is left out
};
Result<VariableCopy> variable_copy(Unit& unit, const Record& source, const Record& copy);

// Which variables of an owner one call copies: so many behind this one.
struct CopyRange {
  Id after = {};
  std::size_t limit = SIZE_MAX;
};
struct CopiedVariables {
  // Aliases, overrides or texts may name other services: copy_sibling_links() is to be called.
  bool names_siblings = false;
  Id last;                        // of the variables, behind which there are more; nil: all are copied
  std::vector<std::string> lost;  // keys of aliases that have no copy, since what they name has none
};

// Copies the variables that lie in the nearest owner of `source` itself to that of `copy`. Aliases and overrides name
// the copies of what they named, and are copied by the call that reaches the last variable. Left to
// copy_sibling_links(): aliases and overrides of built-ins of other services, which may not have been copied yet.
Result<CopiedVariables> copy_variables(Unit& unit, const VariableCopy& places, const CopyRange& range = {});

// The rest, once all services are copied: aliases and overrides that name services by their name, and references inside
// of texts (copied_texts.h). An override whose variable has no copy becomes a variable. Answers the keys of aliases
// that are left out.
Result<std::vector<std::string>> copy_sibling_links(Unit& unit, const VariableCopy& places);

// The service of the same kind and name in the environment of the copy; the service itself if it is the same
// environment. Nothing: there is none.
Result<std::optional<Id>> counterpart_of_service(Unit& unit, const VariableCopy& places, const Record& service);

// The entry of the metadata of a copy that lists aliases without a copy.
inline constexpr std::string_view lost_aliases_name = "aliases_not_copied";
// Adds them to it, and tells the feed. `copy`: what the answer shows.
Result<void> list_lost_aliases(Unit& unit, const Id& copy, std::span<const std::string> keys);
// Takes the entry of an earlier copy out of the body that a copy is made of.
void forget_lost_aliases(Value& body);

}  // namespace orlop
