// Jobs: work on many records that continues over several commits, so that other writers do not wait for all of it.
//
// A request or tick begins a job in its unit: a record of family bulk_job below the resource that the work concerns,
// with an active machine. After that commit the engine performs the job, one part in each commit
// (endpoints/bulk_jobs.h). Each part stores its `progress` together with its changes, so that a crash repeats nothing;
// at open the engine finds the jobs in the list of active machines. Removing the job's record, for example with its
// parent, cancels the job: the next part finds nothing to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bulk_job_number.h"
#include "base/id.h"
#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Machine::state of a job's machine. Stored: values never change.
enum class JobKind : std::uint8_t {
  removal = 1,  // removes records that the parent, a deletion, marks (records/tree/removal.h)
  copy = 2,     // copies services into the parent (endpoints/environments/parts/copy_environment.h)
  marking = 3,  // marks services as out of date (records/variables/reach.h)
};

inline constexpr int job_kind_count = 3;

// Outcome of a part of a job.
enum class PartEnd : std::uint8_t {
  more,   // the next part continues
  waits,  // no work until the job is begun again (Unit::begin_job)
  done,
};

struct NewJob {
  JobKind kind = JobKind::removal;
  Id source = {};                  // record that cannot be deleted during the job; nil: none
  Value detail = {};               // parameters of the job's kind, an object; null: none
  std::span<const Id> items = {};  // records to work on, in this order
};

// Stores the job below `parent`; its author is the unit's. Returns its id.
Id begin_job(Unit& unit, const Record& parent, const NewJob& given);

// Job in the unit of one of its parts.
class JobPart {
 public:
  // Returns nullopt if the job of the machine is gone. Sets the unit's author to the job's. Errors: storage_corrupt.
  static Result<std::optional<JobPart>> of(Unit& unit, const Machine& machine);

  JobKind kind() const { return static_cast<JobKind>(machine_.state); }
  const Id& id() const { return machine_.id; }
  const Id& parent() const { return record_.parent; }
  const Id& organization() const { return record_.organization; }
  Instant begun_at() const { return machine_.changed_at; }
  const Id& source() const { return source_; }
  const Value& detail() const { return detail_; }
  std::size_t item_count() const { return items().size() / id_text_size; }
  Id item(std::size_t at) const { return parse_id(items().substr(at * id_text_size, id_text_size)).value_or(Id{}); }

  // Progress that earlier parts stored: a number of items, or a number that the kind defines.
  std::uint64_t progress() const { return machine_.progress; }
  // Ends this part, whose work is in the unit. Returns `more`.
  PartEnd pause(Unit& unit, std::uint64_t progress);
  // pause() for a job without items that keeps its progress in `detail`. Returns `done` if the job is gone.
  Result<PartEnd> pause(Unit& unit, Value detail);
  // Ends the job. Returns `done`.
  PartEnd finish(Unit& unit);

 private:
  // The items are a range of the record's text, so that a part does not parse all of them.
  std::string_view items() const { return std::string_view(record_.body).substr(items_begin_, items_size_); }

  Machine machine_;
  Record record_;
  Id source_;
  Value detail_;
  std::size_t items_begin_ = 0;
  std::size_t items_size_ = 0;
};

}  // namespace orlop
