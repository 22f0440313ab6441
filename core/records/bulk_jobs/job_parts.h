// Jobs: work on many records that goes on in commits of its own, so that no other writer waits for all of it.
//
// A request or tick begins a job in its own unit: a record of family bulk_job below the resource that the work is
// about, with an active machine. From its commit on the engine does it, one part in each commit
// (endpoints/bulk_jobs.h). Each part stores how far it has come (`progress`) together with what it has done, so that a
// crash repeats nothing; at open the jobs are found in the list of active machines. A job is canceled by what takes its
// record away, such as the removal of its parent: the next part then finds nothing to do.
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

// Machine::state of a job's machine. Stored: numbers never change.
enum class JobKind : std::uint8_t {
  removal = 1,  // of what its parent, a deletion, marks (records/tree/removal.h)
  copy = 2,     // of services into the parent (endpoints/environments/parts/copy_environment.h)
  marking = 3,  // of services as out of date (records/variables/reach.h)
};

inline constexpr int job_kind_count = 3;

// How a part of a job ends.
enum class PartEnd : std::uint8_t {
  more,   // something is left for the next part
  waits,  // nothing can be done until the job is begun again (Unit::begin_job)
  done,
};

struct NewJob {
  JobKind kind = JobKind::removal;
  Id source = {};                  // a record that cannot be deleted while the job is there; nil: none
  Value detail = {};               // what jobs of this kind need: an object; null: nothing
  std::span<const Id> items = {};  // the records to work on, in their order
};

// Stores the job below `parent`; the author is the unit's. Answers its id.
Id begin_job(Unit& unit, const Record& parent, const NewJob& given);

// A job in the unit of one of its parts.
class JobPart {
 public:
  // Nothing if the machine's job is gone. The unit's author becomes the job's. Errors: storage_corrupt.
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

  // How far the parts before have come: a number of items, or what the kind makes of it.
  std::uint64_t progress() const { return machine_.progress; }
  // The end of this part, whose work is in the unit: `more`.
  PartEnd pause(Unit& unit, std::uint64_t progress);
  // The same of a job without items, whose `detail` says how far it is. `done` if the job is gone.
  Result<PartEnd> pause(Unit& unit, Value detail);
  // The end of the job: `done`.
  PartEnd finish(Unit& unit);

 private:
  // By its place in the text of the record: a part does not parse all items.
  std::string_view items() const { return std::string_view(record_.body).substr(items_begin_, items_size_); }

  Machine machine_;
  Record record_;
  Id source_;
  Value detail_;
  std::size_t items_begin_ = 0;
  std::size_t items_size_ = 0;
};

}  // namespace orlop
