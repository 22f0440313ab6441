// A driver that a transcript controls: every step succeeds at once, unless its subject is held.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "deploy/driver/driver.h"

namespace orlop::tests {

class HandDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override;
  void cancel(const Id& step, CancelMode mode) override;

  // From now on the steps of the subject of this name wait for release().
  void hold(std::string_view name) { held_.insert(std::string(name)); }
  // From now on the steps of the subject fail with this reason.
  void fail(std::string_view name, std::string_view reason) { failing_[std::string(name)] = reason; }
  void stop_failing(std::string_view name) { failing_.erase(std::string(name)); }
  // Writes a line into the log of the held step of the subject; returns false if there is none.
  bool say(std::string_view name, std::string_view line);
  // Ends the held step of the subject with success; returns false if there is none.
  bool release(std::string_view name);

  // Returns the pending reports and removes them.
  std::vector<Report> take_reports() { return std::exchange(reports_, {}); }
  // Returns the configuration of the last step of the subject; "" if there was none.
  std::string configuration_of(std::string_view name) const;
  // Returns "deploy orders" for each step, in the order in which they began, and clears the log.
  std::vector<std::string> take_log() { return std::exchange(log_, {}); }

 private:
  const Step* running(std::string_view name) const;
  void end(const Step& step);

  std::set<std::string> held_;
  std::map<std::string, std::string> failing_;
  std::map<Id, Step> running_;
  std::map<std::string, std::string> configurations_;  // by name
  std::vector<Report> reports_;
  std::vector<std::string> log_;
};

}  // namespace orlop::tests
