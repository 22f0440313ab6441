// Deletion of a large tree in several commits.
//
// remove_tree() (records/write_record.h) erases a small tree in the unit of the request. A large one is only marked
// (deletions.h): the root releases its name, and from that commit on nothing in the tree can be read, changed or
// created by requests. The parts of the mark's job (records/bulk_jobs/job_parts.h) erase the tree from the leaves, and
// the last part erases the root, the job and the mark.
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

// Limits of a deletion in the request's own commit: records, and bytes of their text.
inline constexpr std::size_t removed_at_once_max = 1000;
inline constexpr std::size_t erased_text_max = 1 << 20;

// Reports whether the deletion would interrupt a running step. A task, such as a backup, is deleted with its subject:
// its report finds no record and is dropped.
bool keeps_from_removal(const Machine& machine);

// Reports whether a tree with this root can be erased in parts: no family can refer into it from outside.
bool is_closed_tree(const Record& root);

// Marks the tree, whatever its size. Errors: conflict while a record in it is being deployed, or is being cloned to
// another tree.
Result<void> begin_removal(Unit& unit, const Record& root);

// Erases the next part of the trees that the job's parent marks.
Result<PartEnd> remove_part(Unit& unit, JobPart job);

// Erases the tree of a record within the bound of a part; true if nothing is left.
Result<bool> erase_in_part(Unit& unit, PartBound& bound, const Record& root);

// Reports whether the record is `root` or lies below it.
Result<bool> lies_below(Unit& unit, const Id& id, const Id& root);

// Error conflict while an environment of the tree is being cloned to another tree.
Result<void> require_not_copied_out(Unit& unit, const Record& root);

// Returns the records that refer to this one and refuse its deletion.
Result<std::vector<Record>> refusing_referrers(Unit& unit, const Record& target);

// Marks the tree of a removal job that an earlier version of the library has stored below the root itself. Does nothing
// for other jobs.
Result<void> mark_older_removal(Unit& unit, const Machine& job);

// Report whether fields hold references that do not refuse the deletion of their target, and whether records of the
// family can be such targets.
bool refers_softly(std::span<const Field> fields);
bool is_softly_referred_to(const Family& family);

// Returns the effect that a deletion of the target has on a record that refers to it.
Result<OnDelete> behaviour_of(const Record& referrer, const Record& target);

// Emits the event of an erased record; none for internal families.
void emit_deleted(Unit& unit, const Record& record);

// 'project "shop"', for messages.
std::string label_of(const Record& record);

}  // namespace orlop
