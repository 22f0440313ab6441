// Maps the ids in a snapshot to the ids of the imported records in this store.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/id.h"
#include "store/store.h"

namespace orlop {

class IdChanges {
 public:
  // `is_named_in_texts`: keys of variables and host names may contain the first digits of the id.
  void note(const Id& before, const Id& after, bool is_named_in_texts);

  // Returns nullopt if the id belongs neither to an imported record nor to one it refers to. The id of a built-in
  // variable follows from that of its owner.
  std::optional<Id> find(const Id& before) const;

  // Replaces ids of the snapshot by ids of this store in the text from `begin` to `end`. The length does not change.
  void rewrite(std::string& text, std::size_t begin, std::size_t end) const;
  // Rewrites a record except its name. The key of a variable does not change unless it is the key of a built-in
  // variable that it overrides (`has_key_of_built_in`).
  void rewrite(Record& record, bool has_key_of_built_in) const;

 private:
  void rewrite_whole(std::string& text, std::size_t begin, std::size_t end) const;
  void rewrite_digits(std::string& text, std::size_t begin, std::size_t end) const;

  std::unordered_map<Id, Id> ids_;
  std::unordered_map<std::string, Id> by_digits_;  // only ids that change
};

}  // namespace orlop
