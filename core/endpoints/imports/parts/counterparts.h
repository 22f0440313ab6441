// What stands here for what an import refers to outside of itself: cluster, registries, tokens, groups, variables of
// its project.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "endpoints/imports/parts/id_changes.h"
#include "unit/unit.h"

namespace orlop {

class Counterparts {
 public:
  // `ids` holds what is above the root and gets what is found. All must outlive this.
  Counterparts(Transaction& source, Unit& unit, IdChanges& ids, const Id& organization)
      : source_(source), unit_(unit), ids_(ids), organization_(organization) {}

  // The record here of the same family and id, else that of the same name below what stands for its parent; of a part
  // of a cluster, such as a secret manager access, the part of the same id, else of the same name. Nothing: there is
  // none. `id` stays where the snapshot has nothing of this id.
  Result<std::optional<Id>> of(const Id& id);
  // The record of the snapshot in words: `container registry "hub"`.
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
