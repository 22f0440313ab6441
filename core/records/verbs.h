// The five generic operations of every family.
#pragma once

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Handlers. Path parameters: create and list: the parent's id (none for a root); a flat family's read, edit, remove:
// its own id; a nested family's: the parent's id, then its own.
Result<Answer> create(Unit& unit, const Call& call);
Result<Answer> list(Unit& unit, const Call& call);
Result<Answer> read(Unit& unit, const Call& call);
Result<Answer> edit(Unit& unit, const Call& call);
Result<Answer> remove(Unit& unit, const Call& call);
// create(), create_many() and edit() for families that name git repositories: a repository without a branch gets its
// default branch if external systems answer `list_repositories`. If they fail it gets `main`, with a warning in the
// answer.
Result<Answer> create_from_git(Unit& unit, const Call& call);
Result<Answer> edit_from_git(Unit& unit, const Call& call);

}  // namespace orlop
