// Turns constexpr rows into Boost.MSM machines, one for each event, and executes them. Included only by
// service_machine.cpp and cluster_and_task_machines.cpp: it includes Boost, and compiles as C++17 because Debian's
// Boost 1.74 does not compile MSM as C++20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

// Silences warnings that Boost gives about its own headers.
#define BOOST_ALLOW_DEPRECATED_HEADERS
#define BOOST_BIND_GLOBAL_PLACEHOLDERS
#include <boost/mpl/push_back.hpp>
#include <boost/mpl/vector.hpp>
#include <boost/msm/back/state_machine.hpp>
#include <boost/msm/front/state_machine_def.hpp>
#include <boost/msm/row_tags.hpp>

#include "lifecycle/rows.h"

namespace orlop::msm {

// A state and an event as types, for MSM's tables.
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

// The rows of `Lifecycle`, expanded to a single state before and after each, in their order.
template <typename Lifecycle>
struct Steps {
  using State = typename Lifecycle::State;
  using Event = typename Lifecycle::Event;

  static constexpr std::size_t count(StateSet<State> states) {
    std::size_t found = 0;
    for (std::size_t number = 1; number <= state_count<State>; ++number)
      found += states.holds(static_cast<State>(number)) ? 1 : 0;
    return found;
  }

  static constexpr std::size_t count() {
    std::size_t found = 0;
    for (const auto& row : Lifecycle::rows()) {
      for (std::size_t number = 1; number <= state_count<State>; ++number) {
        if (row.from.holds(static_cast<State>(number))) found += count(possible_targets<Lifecycle>(row.to));
      }
    }
    return found;
  }

  static constexpr auto expand() {
    std::array<AppliedRow<State, Event>, count()> steps{};
    std::size_t index = 0;
    for (const auto& row : Lifecycle::rows()) {
      for (std::size_t number = 1; number <= state_count<State>; ++number) {
        const auto from = static_cast<State>(number);
        if (!row.from.holds(from)) continue;
        for (std::size_t target = 1; target <= state_count<State>; ++target) {
          const auto to = static_cast<State>(target);
          if (possible_targets<Lifecycle>(row.to).holds(to)) steps[index++] = {row.event, from, to, row.to.kind};
        }
      }
    }
    return steps;
  }

  static constexpr auto all = expand();
};

// Indexes of the rows of one event. MSM gets a table for each event: the size of the code that it generates from a
// table grows with the square of the rows. The rows of one event suffice, because a machine is put into its state
// before each event.
template <typename Lifecycle, typename Lifecycle::Event event>
struct RowsOf {
  static constexpr std::size_t count() {
    std::size_t found = 0;
    for (const auto& step : Steps<Lifecycle>::all) found += step.event == event ? 1 : 0;
    return found;
  }
  static constexpr auto select() {
    std::array<std::size_t, count()> found{};
    std::size_t next = 0;
    for (std::size_t index = 0; index < Steps<Lifecycle>::all.size(); ++index) {
      if (Steps<Lifecycle>::all[index].event == event) found[next++] = index;
    }
    return found;
  }
};

// A row for MSM, without an action. If the target depends on the running action, there is a row for each target, with a
// guard that accepts the right one. The type is named only by its index: all names that MSM generates contain the names
// of all rows, and their length determines the time to compile.
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

// MSM's table of an event. A single mpl::vector<...> is limited to fifty rows; a chain of push_back is not.
template <typename Lifecycle, typename Lifecycle::Event event, std::size_t count>
struct TransitionTable {
  using type =
      typename boost::mpl::push_back<typename TransitionTable<Lifecycle, event, count - 1>::type,
                                     TransitionRow<Lifecycle, RowsOf<Lifecycle, event>::select()[count - 1]>>::type;
};
template <typename Lifecycle, typename Lifecycle::Event event>
struct TransitionTable<Lifecycle, event, 0> {
  using type = boost::mpl::vector<>;
};

template <typename Lifecycle, typename Lifecycle::Event event>
struct FrontEnd : boost::msm::front::state_machine_def<FrontEnd<Lifecycle, event>> {
  using no_exception_thrown = int;
  using no_message_queue = int;
  using initial_state = typename TransitionRow<Lifecycle, RowsOf<Lifecycle, event>::select()[0]>::Source;
  using transition_table = typename TransitionTable<Lifecycle, event, RowsOf<Lifecycle, event>::count()>::type;

  // A refusal is a result here; MSM's default is an assertion.
  template <typename Machine, typename Event>
  void no_transition(const Event&, Machine&, int) {}
};

// Archive that sets the state of a machine: MSM passes its states to it.
struct SetState {
  int number;
  void operator&(int (&states)[1]) { states[0] = number; }
  template <typename Other>
  void operator&(Other&) {}
};

// Executes `Lifecycle`. Puts the machine of the event into the given state before each step.
template <typename Lifecycle>
class Executor {
 public:
  using State = typename Lifecycle::State;
  using Event = typename Lifecycle::Event;

  static std::optional<State> advance(State state, Event event, const ActionContext& context) {
    const auto state_number = static_cast<std::size_t>(state);
    const auto event_number = static_cast<std::size_t>(event);
    if (state_number == 0 || state_number > state_count<State>) return std::nullopt;
    if (event_number == 0 || event_number > event_count<Event>) return std::nullopt;
    return processors[event_number](state_number, context);
  }

 private:
  template <Event event>
  using Machine = boost::msm::back::state_machine<FrontEnd<Lifecycle, event>>;

  // MSM numbers states by their first appearance in the rows of the event; these tables convert to and from our fixed
  // numbers. A state in none of the event's rows is not_named.
  static constexpr int not_named = -1;
  template <Event event, std::size_t... index>
  static constexpr auto make_numbers(std::index_sequence<index...>) {
    std::array<int, state_count<State> + 1> found{};
    for (int& number : found) number = not_named;
    using Rows = RowsOf<Lifecycle, event>;
    using Table = typename Machine<event>::stt;
    ((found[static_cast<std::size_t>(TransitionRow<Lifecycle, Rows::select()[index]>::step.from)] =
          boost::msm::back::get_state_id<Table,
                                         typename TransitionRow<Lifecycle, Rows::select()[index]>::Source>::value,
      found[static_cast<std::size_t>(TransitionRow<Lifecycle, Rows::select()[index]>::step.to)] =
          boost::msm::back::get_state_id<Table,
                                         typename TransitionRow<Lifecycle, Rows::select()[index]>::Target>::value),
     ...);
    return found;
  }
  template <Event event>
  static constexpr auto numbers = make_numbers<event>(std::make_index_sequence<RowsOf<Lifecycle, event>::count()>());

  static constexpr auto make_states(const std::array<int, state_count<State> + 1>& numbers_of_event) {
    std::array<State, state_count<State> + 1> found{};
    for (std::size_t number = 1; number <= state_count<State>; ++number) {
      if (numbers_of_event[number] != not_named)
        found[static_cast<std::size_t>(numbers_of_event[number])] = static_cast<State>(number);
    }
    return found;
  }
  template <Event event>
  static constexpr auto states = make_states(numbers<event>);

  template <std::size_t number>
  static std::optional<State> process(std::size_t state_number, const ActionContext& context) {
    constexpr auto event = static_cast<Event>(number);
    if constexpr (RowsOf<Lifecycle, event>::count() == 0) {
      return std::nullopt;
    } else {
      SetState archive{numbers<event>[state_number]};
      if (archive.number == not_named) return std::nullopt;
      // On the stack: a thread_local object is allocated at its first use, and glibc aborts if memory runs out then.
      Machine<event> machine;
      machine.serialize(archive, 0);
      if (machine.process_event(EventType<Event, event>{context}) != boost::msm::back::HANDLED_TRUE)
        return std::nullopt;
      return states<event>[static_cast<std::size_t>(machine.current_state()[0])];
    }
  }

  using Processor = std::optional<State> (*)(std::size_t, const ActionContext&);
  template <std::size_t... index>
  static constexpr auto make_processors(std::index_sequence<index...>) {
    return std::array<Processor, sizeof...(index) + 1>{nullptr, &process<index + 1>...};
  }
  static constexpr auto processors = make_processors(std::make_index_sequence<event_count<Event>>());
};

}  // namespace orlop::msm
