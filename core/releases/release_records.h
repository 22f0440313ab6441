// Releases: what successful steps made of a service or cluster. The newest one holds its whole configuration, and each
// older one the difference to the next, so that a release costs what it changed.
//
// The records: below the subject one release_list with the number and the digest of the newest release; below it the
// releases, ascending by id. Their ids follow from that of the subject, so that they are read by id, many in one call.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Configuration of a step as the driver was given it, until the step ends.
struct StepConfiguration {
  std::string digest;                // of a released_part()
  std::string released;              // released_part() as JSON text; empty: the driver reads no configuration
  std::vector<std::string> secrets;  // values of the secrets in it
  std::uint32_t rollback_of = 0;     // number of the release whose configuration it is; 0: no roll-back
  bool is_wanted = true;             // false: a roll-back to another configuration than the wanted one
};

struct NewestRelease {
  std::uint32_t number = 0;  // 0: there is none
  std::string digest;        // empty: not known
  // True while the subject runs this release: nothing has stopped or uninstalled it since, or failed to replace it.
  bool runs = false;
};

struct NewRelease {
  Id request;
  std::string triggered_by;
  Value version = Value::object();  // image, chart, commit
};

struct Release {
  std::uint32_t number = 0;
  Instant deployed_at;
  Id request;
  std::string triggered_by;
  std::string digest;
  std::uint32_t rollback_of = 0;
  Value version = Value::object();
};

struct ReleasedConfiguration {
  Value configuration = Value::object();  // a released_part(), with its secrets
  std::vector<std::string> secrets;       // JSON Pointers to its secrets
};

// Returns the released part of a step's configuration, with its digest.
Result<StepConfiguration> released_configuration(const std::string& configuration, std::vector<std::string> secrets);

// Returns it as a release holds it: with pointers to its secrets.
Result<ReleasedConfiguration> with_secret_places(const StepConfiguration& given);

// Add the ids of records that steps of the subjects read, for Unit::load(): the lists; and, once these are loaded, the
// releases that store_release() reads.
void add_release_lists(std::span<const Id> subjects, std::vector<Id>& ids);
Result<void> add_newest_releases(Unit& unit, std::span<const Id> subjects, std::vector<Id>& ids);

Result<NewestRelease> newest_release(Unit& unit, const Id& subject);

// Makes the next release of the subject and erases those that are too old (Settings::releases_kept). `given`: null if
// the configuration is not known.
Result<void> store_release(Unit& unit, const Id& subject, const NewRelease& release, const StepConfiguration* given);

// Notes that the subject does not run its newest release any more. Writes nothing if it has none, or that is known.
Result<void> end_release(Unit& unit, const Id& subject);

// Notes that the subject runs its newest release, if that has this digest.
Result<void> confirm_release(Unit& unit, const Id& subject, std::string_view digest);

// Returns the kept releases, the newest first.
Result<std::vector<Release>> releases_of(Unit& unit, const Id& subject);

// Returns the error not_found for a number that no kept release has.
Error no_release(const Id& subject, std::int64_t number);

// Errors: no_release(); conflict if the release was made without its configuration, or a snapshot left it out.
Result<ReleasedConfiguration> configuration_of_release(Unit& unit, const Id& subject, std::uint32_t number);

}  // namespace orlop
