// The executed machines equal the table; every state can be reached and every transient state is left.
#include "lifecycle/machine.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "lifecycle/action.h"
#include "lifecycle/rows.h"
#include "lifecycle/table.h"

namespace orlop {
namespace {

template <typename State>
std::vector<State> every_state() {
  std::vector<State> states;
  for (int number = 1; number <= state_count<State>; ++number) states.push_back(static_cast<State>(number));
  return states;
}

// Returns every combination of action, phase and previous state, and one number beyond each.
template <typename State>
std::vector<ActionContext> every_context() {
  std::vector<ActionContext> contexts;
  for (std::size_t action = 0; action <= action_count; ++action) {
    for (const Phase phase : {Phase::building, Phase::acting}) {
      for (int before = 0; before <= state_count<State> + 1; ++before) {
        contexts.push_back({static_cast<Action>(action), phase, static_cast<std::uint8_t>(before)});
      }
    }
  }
  return contexts;
}

// Compares every number from 0 to one beyond the last, so that invalid states and events are refused by both: the
// machine takes exactly the arrows of the table. Returns the number of accepted pairs of state and event.
template <typename State, typename Event>
int compare_machine_with_table() {
  int accepted = 0;
  const std::vector<State> states = every_state<State>();
  const std::vector<ActionContext> contexts = every_context<State>();
  for (int state_number = 0; state_number <= state_count<State> + 1; ++state_number) {
    for (int event_number = 0; event_number <= event_count<Event> + 1; ++event_number) {
      const auto state = static_cast<State>(state_number);
      const auto event = static_cast<Event>(event_number);
      std::set<State> targets;
      for (const ActionContext& context : contexts) {
        const std::optional<State> executed = advance(state, event, context);
        EXPECT_EQ(executed, next(state, event, context))
            << to_string(state) << " on " << to_string(event) << " in " << to_string(context.action);
        if (executed) targets.insert(*executed);
      }
      std::set<State> of_table;
      for (const State to : states) {
        if (leads(state, event, to)) of_table.insert(to);
      }
      EXPECT_EQ(targets, of_table) << to_string(state) << " on " << to_string(event);
      EXPECT_EQ(accepts(state, event), !targets.empty()) << to_string(state) << " on " << to_string(event);
      accepted += targets.empty() ? 0 : 1;
    }
  }
  return accepted;
}

// The number of pairs of state and event that the rows list.
template <typename Lifecycle>
int pairs_of_rows() {
  std::set<std::pair<typename Lifecycle::State, typename Lifecycle::Event>> pairs;
  for (const auto& row : Lifecycle::rows()) {
    for (const auto state : every_state<typename Lifecycle::State>()) {
      if (row.from.holds(state)) pairs.emplace(state, row.event);
    }
  }
  return static_cast<int>(pairs.size());
}

TEST(ServiceMachine, agrees_with_the_table_on_every_state_and_event_in_every_action) {
  const int accepted = compare_machine_with_table<ServiceState, ServiceEvent>();
  EXPECT_EQ(accepted, pairs_of_rows<ServiceLifecycle>());
}

TEST(ClusterMachine, agrees_with_the_table_on_every_state_and_event_in_every_action) {
  const int accepted = compare_machine_with_table<ClusterState, ClusterEvent>();
  EXPECT_EQ(accepted, pairs_of_rows<ClusterLifecycle>());
}

TEST(TaskMachine, agrees_with_the_table_on_every_state_and_event_in_every_action) {
  const int accepted = compare_machine_with_table<TaskState, TaskEvent>();
  EXPECT_EQ(accepted, pairs_of_rows<TaskLifecycle>());
}

TEST(TaskMachine, leaves_its_transient_states_only) {
  for (const TaskState state : every_state<TaskState>()) {
    EXPECT_EQ(allowed(state).empty(), !is_transient(state)) << to_string(state);
    if (!is_transient(state)) continue;
    EXPECT_EQ(next(state, TaskEvent::failed), TaskState::failed);
    EXPECT_TRUE(is_error(TaskState::failed));
  }
}

TEST(Machine, of_each_thread_is_its_own) {
  int accepted[2] = {};
  std::thread other([&] { accepted[0] = compare_machine_with_table<ServiceState, ServiceEvent>(); });
  accepted[1] = compare_machine_with_table<ServiceState, ServiceEvent>();
  other.join();
  EXPECT_EQ(accepted[0], accepted[1]);
}

template <typename State>
std::set<State> reachable_from(State start) {
  std::set<State> reached = {start};
  std::vector<State> open = {start};
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    for (const auto event : allowed(state)) {
      for (const State to : every_state<State>()) {
        if (leads(state, event, to) && reached.insert(to).second) open.push_back(to);
      }
    }
  }
  return reached;
}

TEST(Machine, reaches_every_state_from_ready) {
  EXPECT_EQ(reachable_from(ServiceState::ready).size(), std::size_t{state_count<ServiceState>});
  EXPECT_EQ(reachable_from(ClusterState::ready).size(), std::size_t{state_count<ClusterState>});
  EXPECT_EQ(reachable_from(TaskState::queued).size(), std::size_t{state_count<TaskState>});
}

TEST(Machine, leaves_every_state) {
  for (const ServiceState state : every_state<ServiceState>()) {
    EXPECT_FALSE(allowed(state).empty()) << to_string(state);
  }
  for (const ClusterState state : every_state<ClusterState>()) {
    EXPECT_FALSE(allowed(state).empty()) << to_string(state);
  }
}

TEST(ServiceMachine, leaves_every_transient_state_by_its_deadline) {
  for (const ServiceState state : every_state<ServiceState>()) {
    if (!is_transient(state)) continue;
    for (const Action action : {Action::deploy, Action::restart, Action::stop, Action::remove, Action::uninstall}) {
      const Action own = action_of(state) == Action::none ? action : action_of(state);
      for (const Phase phase : {Phase::building, Phase::acting}) {
        // No step runs in QUEUED, so nothing builds.
        const Phase possible = state == ServiceState::queued ? Phase::acting : phase;
        const auto to = next(state, ServiceEvent::failed, {own, possible});
        ASSERT_TRUE(to) << to_string(state);
        EXPECT_TRUE(is_error(*to)) << to_string(*to);
        const bool was_building =
            state == ServiceState::building ||
            ((state == ServiceState::unavailable || state == ServiceState::canceling) && phase == Phase::building);
        const bool fails_building = was_building && own == Action::deploy;
        EXPECT_EQ(*to, fails_building ? ServiceState::build_error : row_of(own).failed) << to_string(state);
      }
    }
  }
}

// A cancel is accepted while a request is under way, whatever the state.
TEST(ServiceMachine, cancels_every_transient_state) {
  for (const ServiceState state : every_state<ServiceState>()) {
    if (!is_transient(state) || state == ServiceState::canceling) continue;
    EXPECT_TRUE(accepts(state, ServiceEvent::cancel_requested))
        << "core/lifecycle/rows.h lacks " << to_string(state) << " in the rows of Event::cancel_requested of services";
  }
}

TEST(ClusterMachine, leaves_every_transient_state_by_its_deadline) {
  for (const ClusterState state : every_state<ClusterState>()) {
    if (!is_transient(state)) continue;
    for (const Action action : {Action::deploy, Action::upgrade, Action::restart, Action::stop, Action::remove}) {
      const auto to =
          next(state, ClusterEvent::failed, {action, Phase::acting, static_cast<std::uint8_t>(ClusterState::deployed)});
      ASSERT_TRUE(to) << to_string(state);
      EXPECT_EQ(is_error(*to), state != ClusterState::dry_run) << to_string(*to);
    }
  }
}

TEST(ClusterMachine, gives_a_dry_run_the_state_before_it_back) {
  for (const ClusterState before : every_state<ClusterState>()) {
    const ActionContext context = {Action::dry_run, Phase::acting, static_cast<std::uint8_t>(before)};
    const auto after = advance(ClusterState::dry_run, ClusterEvent::dry_run_finished, context);
    const bool can_begin = accepts(before, ClusterEvent::request_dry_run);
    EXPECT_EQ(after, can_begin ? std::optional(before) : std::nullopt) << to_string(before);
  }
}

TEST(Machine, says_that_a_state_is_transient_when_people_cannot_ask_anything_of_it_but_a_cancel) {
  for (const ServiceState state : every_state<ServiceState>()) {
    const bool can_be_held = next(state, ServiceEvent::hold).has_value() || state == ServiceState::deleted;
    EXPECT_EQ(is_transient(state), !can_be_held) << to_string(state);
  }
  for (const ClusterState state : every_state<ClusterState>()) {
    const bool can_be_held = next(state, ClusterEvent::hold).has_value() || state == ClusterState::deleted ||
                             state == ClusterState::invalid_credentials;
    EXPECT_EQ(is_transient(state), !can_be_held) << to_string(state);
  }
}

TEST(Machine, says_that_a_state_is_an_error_by_its_word) {
  for (const ServiceState state : every_state<ServiceState>()) {
    EXPECT_EQ(is_error(state), to_string(state).find("_ERROR") != std::string_view::npos) << to_string(state);
  }
  for (const ClusterState state : every_state<ClusterState>()) {
    const bool expected =
        to_string(state).find("_ERROR") != std::string_view::npos || state == ClusterState::invalid_credentials;
    EXPECT_EQ(is_error(state), expected) << to_string(state);
  }
}

TEST(Allowed, lists_the_events_of_a_state_by_number) {
  const std::vector<ServiceEvent> expected = {ServiceEvent::build_started, ServiceEvent::deploy_started,
                                              ServiceEvent::failed, ServiceEvent::cancel_requested};
  EXPECT_EQ(allowed(ServiceState::waiting_running), expected);
}

TEST(Refusal, names_the_state_and_the_actions_that_are_allowed) {
  const std::vector<std::string_view> actions = {"deploy", "delete", "cancel"};
  const std::span<const std::string_view> all = actions;
  EXPECT_EQ(refusal("container \"web\"", "STOPPED", all, "stop"),
            "container \"web\" is STOPPED; deploy, delete and cancel are allowed, stop is not");
  EXPECT_EQ(refusal("container \"web\"", "STOPPED", all.first(2), "stop"),
            "container \"web\" is STOPPED; deploy and delete are allowed, stop is not");
  EXPECT_EQ(refusal("cluster \"main\"", "DEPLOYING", all.last(1), "deploy"),
            "cluster \"main\" is DEPLOYING; cancel is allowed, deploy is not");
  EXPECT_EQ(refusal("cluster \"main\"", "CANCELING", {}, "deploy"),
            "cluster \"main\" is CANCELING; nothing is allowed until that has ended");
}

}  // namespace
}  // namespace orlop
