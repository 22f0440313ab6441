// Masks the secrets of running steps in their reports. In memory only, made again when a step is started again. For the
// thread of the ticks.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/text/secret_mask.h"
#include "deploy/driver/driver.h"

namespace orlop {

class ReportMasks {
 public:
  // Sets the values that the step was started with.
  void set(const Id& step, std::vector<std::string> secrets);
  void end(const Id& step) {
    if (!steps_.empty()) steps_.erase(step);
  }

  // Masks the secrets in the text of a report, as it was received (report_bounds.h).
  void mask(Report& report);

 private:
  struct Entry {
    std::vector<std::string> secrets;
    std::unique_ptr<const SecretMask> mask;  // made for the first text
  };

  std::unordered_map<Id, Entry> steps_;  // of steps with secrets
};

}  // namespace orlop
