// Deletion of a large tree in several commits.
//
// remove_tree() (verbs.h) erases a small tree in the unit of the request. A large one is only marked: the root releases its name, and a job below it (ops/jobs/job.h)
// states that the tree is to be erased. From that commit on the engine hides the root and everything below it (store/hiding_store.h), so that nothing there can be
// read, changed or created. The parts of the job erase the tree from the leaves, and the last one the root and the job.
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

// Erases the next part of the tree; true if it was the last one. The unit's store must not hide the tree.
Result<bool> remove_part(Unit& unit, JobPart job);

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
