#include "whole/feed_follower.h"

#include <algorithm>
#include <cctype>

namespace orlop {
namespace {

std::string text_of(const Value& event, std::string_view name) { return std::string(event.text_or(name, "")); }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

// Reports whether the event is like "service.deployed" with "to": "DEPLOYED".
bool is_change_of_state(const Value& event, const std::string& kind) {
  const std::size_t point = kind.find('.');
  const std::string noun = kind.substr(0, point);
  return point != std::string::npos && (noun == "service" || noun == "cluster") &&
         kind.substr(point + 1) == lower(text_of(event, "to"));
}

}  // namespace

std::string FeedFollower::follow(const Value& event) {
  const auto number = static_cast<std::uint64_t>(event.integer_or("sequence", 0));
  const std::string at = text_of(event, "at");
  if (number != last_ + 1)
    return "the event after " + std::to_string(last_) + " has the number " + std::to_string(number);
  if (at < at_) return "time goes back from " + at_ + " to " + at;
  last_ = number;
  at_ = at;
  const std::string kind = text_of(event, "kind");
  if (is_change_of_state(event, kind)) {
    std::string& state = states_[text_of(event, "subject")];
    const std::string from = text_of(event, "from");
    const bool follows = state.empty() || from.empty() || from == state;
    const std::string before = state;
    state = text_of(event, "to");
    return follows ? "" : text_of(event, "subject") + " changes from " + from + ", and was " + before;
  }
  if (kind.starts_with("deployment.")) return follow_deployment(event, kind);
  if (kind == "step.started" || kind == "step.ended") return follow_step(event, kind);
  return "";
}

std::string FeedFollower::follow_deployment(const Value& event, const std::string& kind) {
  const std::string environment = text_of(event, "owner");
  const std::string request = text_of(event, "subject");
  const auto running = deployments_.find(environment);
  if (kind == "deployment.started") {
    const std::string before = running == deployments_.end() ? "" : running->second;
    deployments_[environment] = request;
    return before.empty() ? "" : "the deployment " + request + " begins while " + before + " runs in its environment";
  }
  if (kind == "deployment.ended" && running != deployments_.end() && running->second == request)
    deployments_.erase(running);
  return "";
}

std::string FeedFollower::follow_step(const Value& event, const std::string& kind) {
  const Value* const detail = event.find("detail");
  const std::string step = detail == nullptr ? "" : text_of(*detail, "step");
  const std::string subject = text_of(event, "subject");
  const auto running = steps_.find(subject);
  const std::string before = running == steps_.end() ? "" : running->second;
  const bool is_start = kind == "step.started";
  if (is_start) steps_[subject] = step;
  else steps_.erase(subject);
  if (before.empty() || before == step) return "";
  return "the step " + step + " of " + subject + (is_start ? " begins" : " ends") + " while " + before + " runs";
}

std::string FeedFollower::state_of(const std::string& subject) const {
  const auto found = states_.find(subject);
  return found == states_.end() ? "" : found->second;
}

std::set<std::string> FeedFollower::deployments() const {
  std::set<std::string> running;
  for (const auto& [environment, request] : deployments_) running.insert(request);
  return running;
}

}  // namespace orlop
