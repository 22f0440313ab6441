// Turns constexpr rows into a Boost.MSM machine and steps it. Included by service_machine.cpp and cluster_and_task_machines.cpp
// only: it pulls in Boost, and compiles as C++17 because Debian's Boost 1.74 does not compile MSM as C++20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

// What Boost says of its own headers is not ours to mend.
#define BOOST_ALLOW_DEPRECATED_HEADERS
#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#include <boost/mpl/push_back.hpp>
#include <boost/mpl/vector.hpp>
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/state_machine_def.hpp>
#include <boost/msm/row_tags.hpp>

#include "lifecycle/rows.h"

namespace orlop::msm {

// One state and one event as types, which is what MSM's table is made of.
template <typename Value, Value value>
struct StateType : boost::msm::front::state<> {};
template <typename Value, Value value>
struct EventType {
  ActionContext context;
};

template <typename State, typename Event>
struct AppliedRow {
  Event event{};
  State from{};
  State to{};
  TargetKind kind{};
};

// The rows of `Lifecycle` with one state before and one state after each, in their order.
template <typename Lifecycle>
struct Steps {
  using State = typename Lifecycle::State;
  using Event = typename Lifecycle::Event;

  static constexpr std::size_t count(StateSet<State> states) {
    std::size_t found = 0;
    for (std::size_t number = 1; number <= Lifecycle::state_count; ++number) found += states.holds(static_cast<State>(number)) ? 1 : 0;
    return found;
  }

  static constexpr std::size_t count() {
    std::size_t found = 0;
    for (const auto& row : Lifecycle::rows()) {
      for (std::size_t number = 1; number <= Lifecycle::state_count; ++number) {
        if (row.from.holds(static_cast<State>(number))) found += count(possible_targets<Lifecycle>(row.to));
      }
    }
    return found;
  }

  static constexpr auto expand() {
    std::array<AppliedRow<State, Event>, count()> steps{};
    std::size_t index = 0;
    for (const auto& row : Lifecycle::rows()) {
      for (std::size_t number = 1; number <= Lifecycle::state_count; ++number) {
        const auto from = static_cast<State>(number);
        if (!row.from.holds(from)) continue;
        for (std::size_t target = 1; target <= Lifecycle::state_count; ++target) {
          const auto to = static_cast<State>(target);
          if (possible_targets<Lifecycle>(row.to).holds(to)) steps[index++] = {row.event, from, to, row.to.kind};
        }
      }
    }
    return steps;
  }

  static constexpr auto all = expand();
};

// One row as MSM wants it, without an action. Where the action under way decides on the target, there is a row for each target, with a
// guard that lets the right one pass. Named by its index alone: the names of all rows together are part of the name of all that MSM makes
// of them, and their length is what compiling costs.
template <typename Lifecycle, std::size_t index>
struct TransitionRow {
  static constexpr auto step = Steps<Lifecycle>::all[index];
  using Source = StateType<typename Lifecycle::State, step.from>;
  using Evt = EventType<typename Lifecycle::Event, step.event>;
  using Target = StateType<typename Lifecycle::State, step.to>;
  using row_type_tag = std::conditional_t<step.kind == TargetKind::named, boost::msm::_row_tag, boost::msm::g_row_tag>;

  template <typename Machine, typename From, typename To, typename States>
  static bool guard_call(Machine&, const Evt& event, From&, To&, States&) {
    return Lifecycle::target(step.kind, event.context) == step.to;
  }
};

// MSM's table. A single mpl::vector<...> stops at fifty rows; pushing one after the other does not.
template <typename Lifecycle, std::size_t count>
struct TransitionTable {
  using type = typename boost::mpl::push_back<typename TransitionTable<Lifecycle, count - 1>::type,
                                              TransitionRow<Lifecycle, count - 1>>::type;
};
template <typename Lifecycle>
struct TransitionTable<Lifecycle, 0> {
  using type = boost::mpl::vector<>;
};

template <typename Lifecycle>
struct FrontEnd : boost::msm::front::state_machine_def<FrontEnd<Lifecycle>> {
  using no_exception_thrown = int;
  using no_message_queue = int;
  using initial_state = StateType<typename Lifecycle::State, Lifecycle::initial>;
  using transition_table = typename TransitionTable<Lifecycle, Steps<Lifecycle>::all.size()>::type;

  // A refusal is an answer here, not the assertion that MSM makes of it.
  template <typename Machine, typename Event>
  void no_transition(const Event&, Machine&, int) {}
};

// The archive that puts a machine into a state: MSM offers it its states, and this sets them.
struct SetState {
  int number;
  void operator&(int (&states)[1]) { states[0] = number; }
  template <typename Other>
  void operator&(Other&) {}
};

// Executes `Lifecycle`: one machine for all that have this lifecycle, put into the state of each before its step.
template <typename Lifecycle>
class Executor {
 public:
  using State = typename Lifecycle::State;
  using Event = typename Lifecycle::Event;

  std::optional<State> advance(State state, Event event, const ActionContext& context) {
    const auto state_number = static_cast<std::size_t>(state);
    const auto event_number = static_cast<std::size_t>(event);
    if (state_number == 0 || state_number > Lifecycle::state_count) return std::nullopt;
    if (event_number == 0 || event_number > Lifecycle::event_count) return std::nullopt;
    SetState archive{numbers[state_number]};
    machine_.serialize(archive, 0);
    if (!processors[event_number](machine_, context)) return std::nullopt;
    return states[static_cast<std::size_t>(machine_.current_state()[0])];
  }

 private:
  using Machine = boost::msm::back::state_machine<FrontEnd<Lifecycle>>;
  using Processor = bool (*)(Machine&, const ActionContext&);

  template <std::size_t number>
  static bool process(Machine& machine, const ActionContext& context) {
    return machine.process_event(EventType<Event, static_cast<Event>(number)>{context}) == boost::msm::back::HANDLED_TRUE;
  }

  template <std::size_t number>
  static constexpr int number_of() {
    using Type = StateType<State, static_cast<State>(number)>;
    return boost::msm::back::get_state_id<typename Machine::stt, Type>::value;
  }

  // MSM numbers states by their first appearance in the rows; these tables translate from and to our fixed numbers.
  template <std::size_t... index>
  static constexpr auto make_numbers(std::index_sequence<index...>) {
    return std::array<int, sizeof...(index) + 1>{-1, number_of<index + 1>()...};
  }
  static constexpr auto make_states() {
    std::array<State, Lifecycle::state_count> found{};
    for (std::size_t number = 1; number <= Lifecycle::state_count; ++number) {
      found[static_cast<std::size_t>(numbers[number])] = static_cast<State>(number);
    }
    return found;
  }
  template <std::size_t... index>
  static constexpr auto make_processors(std::index_sequence<index...>) {
    return std::array<Processor, sizeof...(index) + 1>{nullptr, &process<index + 1>...};
  }

  static constexpr auto numbers = make_numbers(std::make_index_sequence<Lifecycle::state_count>());
  static constexpr auto states = make_states();
  static constexpr auto processors = make_processors(std::make_index_sequence<Lifecycle::event_count>());

  Machine machine_;
};

}  // namespace orlop::msm
