// Deletion of a large tree in several commits.
//
// remove_tree() (records/write_record.h) erases a small tree in the unit of the request. A large one is only marked
// (deletions.h): the root releases its name, and from that commit on nothing in the tree can be read, changed or
// created by requests. The parts of the mark's job (records/bulk_jobs/job_parts.h) erase the tree from the leaves, and
// the last one the root, the job and the mark.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "records/bulk_jobs/job_parts.h"
#include "records/bulk_jobs/part_bound.h"
#include "unit/unit.h"

namespace orlop {

struct Field;
enum class OnDelete : std::uint8_t;

// What one request erases in its own commit: records, and bytes of their text.
inline constexpr std::size_t removed_at_once_max = 1000;
inline constexpr std::size_t erased_text_max = 1 << 20;

// Whether a step runs that would be cut off. A task, such as a backup, goes with what it is about: its report finds
// nothing, and is dropped.
bool keeps_from_removal(const Machine& machine);

// True if a tree with this root can be erased in parts: no family can refer into it from outside.
bool is_closed_tree(const Record& root);

// Marks the tree, whatever its size. Errors: conflict while something in it is being deployed, or is being cloned to
// another tree.
Result<void> begin_removal(Unit& unit, const Record& root);

// Erases the next part of what the job's parent marks.
Result<PartEnd> remove_part(Unit& unit, JobPart job);

// Erases the tree of a record within the bound of a part; true if nothing is left of it.
Result<bool> erase_in_part(Unit& unit, PartBound& bound, const Record& root);

// Whether the record is this one, or below it.
Result<bool> lies_below(Unit& unit, const Id& id, const Id& root);

// Error conflict while an environment of the tree is being cloned to another tree.
Result<void> require_not_copied_out(Unit& unit, const Record& root);

// The records that refer to this one and refuse its deletion.
Result<std::vector<Record>> refusing_referrers(Unit& unit, const Record& target);

// Marks what a job removes that an earlier version of the library has stored below the root itself. Does nothing to
// other jobs.
Result<void> mark_older_removal(Unit& unit, const Machine& job);

// Records that refer to one that is deleted, and do not refuse that: whether fields hold such references, and whether
// records of the family can be what they name.
bool refers_softly(std::span<const Field> fields);
bool is_softly_referred_to(const Family& family);

// What a deletion of the target does to a record that refers to it.
Result<OnDelete> behaviour_of(const Record& referrer, const Record& target);

// The event of an erased record; nothing for the engine's own records.
void emit_deleted(Unit& unit, const Record& record);

// 'project "shop"', for messages.
std::string label_of(const Record& record);

}  // namespace orlop
