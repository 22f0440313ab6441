// Which members that the interface's description promises in answers have been seen in answers.
#pragma once

#include <set>
#include <string>

#include "model/value.h"
#include "rest/exchange.h"
#include "rest/route.h"

namespace orlop {

class FilledMembers {
 public:
  // Takes note of a reply that was described: every member of each object in it, and whether it holds something (not
  // null).
  void note(const Value& document, const Route& route, const Reply& reply);
  // Takes over what another one has seen.
  void add(const FilledMembers& other);

  // "ContainerResponse.has_access" of every member that the engine writes (read-only ones of resources, all of other
  // answers), whose object was seen, and that never held anything.
  std::set<std::string> never_filled() const;
  std::size_t described_count() const { return described_.size(); }

 private:
  void walk(const Value& document, const Value& schema, const Value& given, const std::string& name, bool is_resource);

  std::set<std::string> described_;
  std::set<std::string> filled_;
};

}  // namespace orlop
