// Deletion of a large tree in several commits.
//
// remove_tree() (verbs.h) erases a small tree in the unit of the request. A large one is only marked (deletions.h): the
// root releases its name, and from that commit on nothing in the tree can be read, changed or created by requests. The
// parts of the mark's job (ops/jobs/job.h) erase the tree from the leaves, and the last one the root, the job and the
// mark.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "ops/jobs/job.h"
#include "ops/unit/unit.h"

namespace orlop {

struct Field;

// What one request erases in its own commit: records, and bytes of their text.
inline constexpr std::size_t removed_at_once_max = 1000;
inline constexpr std::size_t erased_text_max = 1 << 20;

// Whether a step runs that would be cut off. A task, such as a backup, goes with what it is about: its report finds nothing, and is dropped.
bool keeps_from_removal(const Machine& machine);

// True if a tree with this root can be erased in parts: no family can refer into it from outside.
bool is_closed_tree(const Record& root);

// Marks the tree, whatever its size. Errors: conflict while something in it is being deployed, or is being cloned to another tree.
Result<void> begin_removal(Unit& unit, const Record& root);

// Erases the next part of what the job's parent marks; true if it was the last one.
Result<bool> remove_part(Unit& unit, JobPart job);

// Marks what a job removes that an earlier version of the library has stored below the root itself. Does nothing to
// other jobs.
Result<void> mark_older_removal(Unit& unit, const Machine& job);

// Records that refer to one that is deleted, and do not refuse that: whether fields hold such references, and whether records of the family can be what they name.
bool refers_softly(std::span<const Field> fields);
bool is_softly_referred_to(const Family& family);

// Clears the references of `referrer` to `id` that are cleared when it is deleted, and marks what that reaches.
Result<void> clear_references_to(Unit& unit, const Id& referrer, const Id& id);

// The event of an erased record; nothing for the engine's own records.
void emit_deleted(Unit& unit, const Record& record);

// 'project "shop"', for messages.
std::string label_of(const Record& record);

}  // namespace orlop
