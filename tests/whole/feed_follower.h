// Rules that every feed keeps, event by event: numbers without gaps, times that do not go back, one deployment at a
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
  // What the event breaks; "" if nothing.
  std::string follow(const Value& event);

  std::uint64_t last() const { return last_; }
  // Of a service or cluster; "" if none is known.
  std::string state_of(const std::string& subject) const;
  // The deployments that have begun and not ended.
  std::set<std::string> deployments() const;

 private:
  std::string follow_deployment(const Value& event, const std::string& kind);
  std::string follow_step(const Value& event, const std::string& kind);

  std::uint64_t last_ = 0;
  std::string at_;
  std::map<std::string, std::string> states_;       // of services and clusters
  std::map<std::string, std::string> deployments_;  // of each environment the one that runs
  std::map<std::string, std::string> steps_;        // of each subject the one that runs
};

}  // namespace orlop
