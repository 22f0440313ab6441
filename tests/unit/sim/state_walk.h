// A walk through everything that a service or cluster of a simulation can do: from each state that set_state accepts,
// and from each that follows, all inputs (requests and reports of the driver) are tried through the interface, and the
// effects are compared with the lifecycle table.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "deploy/driver/driver.h"
#include "lifecycle/table.h"
#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop::tests {

template <typename State, typename Event>
std::string shown(const std::set<std::pair<State, Event>>& cells) {
  std::string text;
  for (const auto& [state, event] : cells)
    text += std::string(to_string(state)) + " " + std::string(to_string(event)) + "\n";
  return text;
}

// Returns the cells that the table allows and that are not in `visited`.
template <typename State, typename Event>
std::set<std::pair<State, Event>> left_of_table(const std::set<std::pair<State, Event>>& visited) {
  std::set<std::pair<State, Event>> left;
  for (int state = 1; state <= state_count<State>; ++state) {
    for (int event = 1; event <= event_count<Event>; ++event) {
      const std::pair cell{static_cast<State>(state), static_cast<Event>(event)};
      if (accepts(cell.first, cell.second) && !visited.contains(cell)) left.insert(cell);
    }
  }
  return left;
}

template <typename Lifecycle>
class StateWalk {
 public:
  using State = typename Lifecycle::State;
  using Event = typename Lifecycle::Event;
  using Cell = std::pair<State, Event>;

  // An input from outside, and its events in the lifecycle.
  struct Stimulus {
    std::string name;
    // Events before `event` if the state accepts them: a driver may omit the report of a beginning. `event`: nullopt if
    // the machine gets no event.
    std::vector<Event> before;
    std::optional<Event> event;
    std::vector<Event> after;  // events that the engine adds at once
    int refusal = 0;           // status of a request that changes nothing; 0: an ignored report
    bool removes = false;      // the record is deleted at once, with the status `refusal`
    bool is_control = false;   // control of the simulation: without an event any effect is allowed
  };

  virtual ~StateWalk() = default;

  void walk() {
    const std::uint64_t base = simulation->save().value();
    std::deque<std::vector<std::string>> paths{{}};
    for (int number = 1; number <= state_count<typename Lifecycle::State>; ++number) {
      paths.push_back({"set " + std::string(to_string(static_cast<State>(number)))});
    }
    for (; !paths.empty(); paths.pop_front()) {
      const std::vector<std::string> path = paths.front();
      ASSERT_TRUE(simulation->go_back(base).ok());
      for (const std::string& step : path) do_it(step);
      const auto machine = row();
      if (!machine || !seen_.insert(context_of(*machine)).second) continue;
      const std::uint64_t here = simulation->save().value();
      for (const std::string& name : names()) {
        ASSERT_TRUE(simulation->go_back(here).ok());
        try_it(stimulus(name, *machine), *machine, path);
        std::vector<std::string> further = path;
        further.push_back(name);
        paths.push_back(std::move(further));
      }
      ASSERT_TRUE(simulation->go_back(here).ok());
      ASSERT_TRUE(simulation->drop_saved(here).ok());
    }
  }

  std::set<Cell> visited;
  std::set<std::pair<State, std::string>> tried;  // inputs tried, with the state
  std::size_t contexts() const { return seen_.size(); }
  std::set<std::string> tried_names() const {
    std::set<std::string> found;
    for (const auto& [state, name] : tried) found.insert(name);
    return found;
  }

 protected:
  virtual std::vector<std::string> names() const = 0;
  virtual Stimulus stimulus(const std::string& name, const Machine& machine) const = 0;
  virtual Reply request(const std::string& name) = 0;

  Shared<Machine> row() {
    Shared<Machine> found;
    EXPECT_TRUE(simulation->engine()
                    .perform([&](Unit& unit) -> Result<void> {
                      ORLOP_TRY(machine, unit.machine(parse_id(subject).value()));
                      found = std::move(machine);
                      return {};
                    })
                    .ok());
    return found;
  }
  static State state_of(const Machine& machine) { return static_cast<State>(machine.state); }
  static ActionContext context(const Machine& machine) {
    const bool builds = static_cast<StepKind>(machine.step_kind) == StepKind::build ||
                        (std::is_same_v<Lifecycle, ClusterLifecycle> && is_building(machine));
    return {static_cast<Action>(machine.action), builds ? Phase::building : Phase::acting, machine.origin_state};
  }

  Simulation simulation{
      {}, Authentication::off, "memory:", [](Settings& settings) { settings.busy = BusyPolicy::reject; }};
  std::string subject;

 private:
  using Key = std::tuple<std::uint8_t, std::uint8_t, std::uint8_t, bool>;
  static Key context_of(const Machine& machine) {
    return {machine.state, machine.action, machine.step_kind, machine.step.is_nil()};
  }
  static bool is_building(const Machine& machine) { return to_string(state_of(machine)) == "BUILDING"; }

  // Performs "set RECAP", "report failed" or a request.
  Reply do_it(const std::string& name) {
    Reply reply;
    if (name.starts_with("set ")) {
      reply = simulation.ask("POST", "/-/sim/state",
                             R"({"resource":")" + subject + R"(","state":")" + name.substr(4) + "\"}");
    } else if (name.starts_with("report ")) {
      report(name.substr(7));
    } else {
      reply = request(name);
    }
    EXPECT_TRUE(simulation->advance({0}).ok());
    return reply;
  }

  void report(const std::string& kind) {
    static const std::map<std::string, ReportKind> kinds = {{"build_started", ReportKind::build_started},
                                                            {"built", ReportKind::built},
                                                            {"started", ReportKind::started},
                                                            {"executing", ReportKind::executing},
                                                            {"recap", ReportKind::recap_started},
                                                            {"progress", ReportKind::progress},
                                                            {"log", ReportKind::log_line},
                                                            {"succeeded", ReportKind::succeeded},
                                                            {"failed", ReportKind::failed},
                                                            {"credentials_refused", ReportKind::credentials_refused},
                                                            {"contact_lost", ReportKind::contact_lost},
                                                            {"canceled", ReportKind::canceled}};
    const auto machine = row();
    if (!machine) return;
    const bool has_step = !machine->step.is_nil();
    const auto taken =
        simulation->engine().report({has_step ? machine->step : Id(), kinds.at(kind), RunningState::none, ""});
    EXPECT_EQ(taken.ok(), has_step) << "a report is taken of a step that runs";
    if (!has_step) { EXPECT_EQ(taken.error().code, ErrorCode::not_found); }
  }

  std::vector<std::pair<std::string, std::string>> changes(std::uint64_t since) {
    std::vector<std::pair<std::string, std::string>> out;
    const Value list = parse_json(simulation->engine().events({.after = since, .limit = 1000}).value()).value();
    for (const Value& event : list.items()) {
      const std::string_view kind = event.text_or("kind", "");
      const bool is_state =
          !kind.ends_with("freshness_changed") && !kind.ends_with("running_changed") && event.find("from") != nullptr;
      if (is_state && event.text_or("subject", "") == subject)
        out.emplace_back(event.text_or("from", ""), event.text_or("to", ""));
    }
    return out;
  }

  static std::string join(const std::vector<std::string>& path) {
    std::string text = "new";
    for (const std::string& step : path) text += ", " + step;
    return text;
  }

  void try_it(const Stimulus& given, const Machine& machine, const std::vector<std::string>& path) {
    if (!given.event && given.is_control) return;
    if (!given.is_control) tried.emplace(state_of(machine), given.name);
    const std::uint64_t since = simulation->engine().last_event().value();
    const ActionContext action = given.refusal != 0 ? ActionContext() : context(machine);
    State state = state_of(machine);
    std::vector<std::tuple<State, Event, State>> expected;
    const auto take = [&](Event event) {
      const auto to = next(state, event, action);
      if (!to) return false;
      expected.emplace_back(state, event, *to);
      state = *to;
      return true;
    };
    for (const Event event : given.before) take(event);
    const bool is_taken = given.event && take(*given.event);
    if (is_taken) {
      for (const Event event : given.after) take(event);
    } else if (given.refusal != 0) {
      expected.clear();
    }
    const Reply reply = do_it(given.name);
    const auto seen = changes(since);
    const std::string where =
        join(path) + "; " + given.name + " in " + std::string(to_string(state_of(machine))) + ": " + reply.body;
    if (given.refusal != 0) {
      EXPECT_TRUE(is_taken ? reply.status < 300 : reply.status == given.refusal) << reply.status << " " << where;
      if (!is_taken && reply.status == 409) check_refusal(reply, machine, where);
    }
    if (given.removes) {
      EXPECT_FALSE(row()) << where;
      return;
    }
    ASSERT_GE(seen.size(), expected.size()) << where;
    if (expected.empty()) {
      EXPECT_TRUE(seen.empty()) << seen.front().first << " to " << seen.front().second << " after " << where;
    }
    for (std::size_t at = 0; at < expected.size(); ++at) {
      const auto& [from, event, to] = expected[at];
      EXPECT_EQ(seen[at].first, to_string(from)) << where;
      EXPECT_EQ(seen[at].second, to_string(to)) << where;
      visited.emplace(from, event);
    }
  }
  // Checks a request that was refused with 409.
  virtual void check_refusal(const Reply& reply, const Machine& machine, const std::string& where) = 0;

  std::set<Key> seen_;
};

}  // namespace orlop::tests
