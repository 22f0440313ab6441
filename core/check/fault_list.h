// Faults that the parts of a check have found.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "base/id.h"
#include "store/found_fault.h"

namespace orlop {

class FaultList {
 public:
  // Further faults are dropped: a store that has lost its tables has as many faults as records.
  static constexpr std::size_t faults_max = 1000;

  void add(FoundFault fault) {
    if (faults_.size() < faults_max) faults_.push_back(std::move(fault));
  }
  void add(std::string_view type, std::string id, std::string fault, std::string_view advice) {
    add({std::string(type), std::move(id), std::move(fault), std::string(advice), false});
  }
  void add(FamilyNumber family, const Id& id, std::string fault, std::string_view advice, bool is_repairable = false);
  bool is_full() const { return faults_.size() >= faults_max; }
  std::vector<FoundFault>& faults() { return faults_; }

 private:
  std::vector<FoundFault> faults_;
};

// Returns the name of the family; its number if the family is unknown.
std::string family_text(FamilyNumber family);

// [{"id", "type", "fault", "advice", "is_repairable"}, …]
std::string faults_json(const std::vector<FoundFault>& faults);

}  // namespace orlop
