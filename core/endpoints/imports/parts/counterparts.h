// Finds the records of this store to which references out of the imported tree lead: cluster, registries, tokens,
// groups, variables of the project.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "endpoints/imports/parts/id_changes.h"
#include "unit/unit.h"

namespace orlop {

class Counterparts {
 public:
  // `ids` holds the root's ancestors and receives the ids that are found. All must outlive this.
  Counterparts(Transaction& source, Unit& unit, IdChanges& ids, const Id& organization)
      : source_(source), unit_(unit), ids_(ids), organization_(organization) {}

  // Returns the record of this store with the same family and id, else the one with the same name below its parent's
  // counterpart; for a part of a cluster, such as a secret manager access, the part with the same id, else the same
  // name. Returns nullopt if none, and `id` itself if the snapshot lacks it.
  Result<std::optional<Id>> of(const Id& id);
  // Describes the record of the snapshot: `container registry "hub"`.
  Result<std::string> label(const Id& id);

 private:
  Result<std::optional<Id>> of_record(const Record& record);
  Result<std::optional<Id>> by_name(const Record& record, const Id& parent);
  Result<std::optional<Id>> of_part(const Id& id);
  Result<Shared<Record>> holder_of_part(const Id& id);

  Transaction& source_;
  Unit& unit_;
  IdChanges& ids_;
  const Id& organization_;
};

}  // namespace orlop
