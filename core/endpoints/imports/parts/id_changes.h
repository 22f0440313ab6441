// The ids that what is imported has here, by those that it has in its snapshot.
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
  // `is_named_in_texts`: keys of variables and host names may hold the first digits of the id.
  void note(const Id& before, const Id& after, bool is_named_in_texts);

  // Nothing: the id is not of what is imported, nor of what it refers to. Of a built-in variable it follows from that
  // of its owner.
  std::optional<Id> find(const Id& before) const;

  // Writes the ids here in the place of those in the snapshot, in the text from `begin` to `end`. Its size stays.
  void rewrite(std::string& text, std::size_t begin, std::size_t end) const;
  // The same of a record, but for its name. Of a variable the key stays, unless it is that of a built-in variable which
  // it overrides (`has_key_of_built_in`).
  void rewrite(Record& record, bool has_key_of_built_in) const;

 private:
  void rewrite_whole(std::string& text, std::size_t begin, std::size_t end) const;
  void rewrite_digits(std::string& text, std::size_t begin, std::size_t end) const;

  std::unordered_map<Id, Id> ids_;
  std::unordered_map<std::string, Id> by_digits_;  // those that differ
};

}  // namespace orlop
