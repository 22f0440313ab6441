// Members that the interface's description promises in answers, and whether answers have had them.
#pragma once

#include <set>
#include <string>

#include "model/value.h"
#include "rest/exchange.h"
#include "rest/route.h"

namespace orlop {

class FilledMembers {
 public:
  // Records a described reply: every member of each object in it, and whether it is not null.
  void note(const Value& document, const Route& route, const Reply& reply);
  // Adds the records of another one.
  void add(const FilledMembers& other);

  // Returns "ContainerResponse.has_access" for every member that the engine writes (read-only ones of resources, all of
  // other answers), whose object was seen, and that was always null.
  std::set<std::string> never_filled() const;
  std::size_t described_count() const { return described_.size(); }

 private:
  void walk(const Value& document, const Value& schema, const Value& given, const std::string& name, bool is_resource);

  std::set<std::string> described_;
  std::set<std::string> filled_;
};

}  // namespace orlop
