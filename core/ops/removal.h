// Deletion of a large tree, in several commits.
//
// remove_tree() (verbs.h) erases a small tree in the unit that asks for it. A large one it only marks there: the root gives up its name,
// and a job below it, a record of family removal_number with an active machine, says that it is to go. From that commit on the engine
// hides the root and everything below it (store/hiding_store.h), so that nothing there can be read, changed or created. Its ticks then
// erase the tree from below, one chunk for each commit, and the root and the job with the last one. Between the chunks other writers
// have their turn. After a crash the jobs are found among the active machines.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "ops/unit.h"

namespace orlop {

inline constexpr std::size_t removed_at_once_max = 1000;  // records of a tree that goes in one commit
inline constexpr std::size_t removal_chunk = 500;         // records that one commit erases of a larger one

// Whether a tree with this root can go in chunks: no family has references into such a tree from outside.
bool is_closed_tree(const Record& root);

// Marks the tree, whatever its size. Errors: conflict while something in it is being deployed, or is being copied to a place outside.
Result<void> begin_removal(Unit& unit, const Record& root);

// Erases the next chunk of the tree whose job this is; true if it was the last one. The unit's store must show what is hidden.
Result<bool> remove_chunk(Unit& unit, const Machine& job);

// What remove_tree() and the chunks say of a record that goes; nothing for the engine's own.
void emit_deleted(Unit& unit, const Record& record);

// 'project "shop"', for messages.
std::string label_of(const Record& record);

}  // namespace orlop
