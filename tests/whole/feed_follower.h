// Checks the rules of every feed, event by event: numbers without gaps, times that do not go back, one deployment at a
// time in an environment, changes of state that begin where the last one ended, and steps of a subject that begin and
// end in turn.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "model/value.h"

namespace orlop {

class FeedFollower {
 public:
  // Returns the rule that the event breaks; "" if none.
  std::string follow(const Value& event);

  std::uint64_t last() const { return last_; }
  // State of a service or cluster; "" if unknown.
  std::string state_of(const std::string& subject) const;
  // Deployments that have begun and not ended.
  std::set<std::string> deployments() const;

 private:
  std::string follow_deployment(const Value& event, const std::string& kind);
  std::string follow_step(const Value& event, const std::string& kind);

  std::uint64_t last_ = 0;
  std::string at_;
  std::map<std::string, std::string> states_;       // by service or cluster
  std::map<std::string, std::string> deployments_;  // running deployment by environment
  std::map<std::string, std::string> steps_;        // running step by subject
};

}  // namespace orlop
