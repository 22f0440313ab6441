// A transition of a service, cluster or task: its row, the events of the feed, and the write.
#pragma once

#include <optional>
#include <utility>

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "deploy/run/detail.h"
#include "lifecycle/action.h"
#include "lifecycle/event.h"
#include "lifecycle/state.h"
#include "unit/unit.h"

namespace orlop {

class StateTransition {
 public:
  StateTransition(Unit& unit, const Id& organization, Machine&& machine)
      : unit_(unit), organization_(organization), machine_(std::move(machine)) {}
  StateTransition(Unit& unit, const Id& organization, const Machine& machine)
      : unit_(unit), organization_(organization), machine_(machine) {}

  const Machine& machine() const { return machine_; }
  Machine& machine() { return machine_; }
  const ActionDetail& detail() const { return *machine_.detail; }
  ActionDetail& edit_detail() { return machine_.detail.edit(); }
  ServiceState service_state() const { return static_cast<ServiceState>(machine_.state); }
  TaskState task_state() const { return static_cast<TaskState>(machine_.state); }
  ClusterState cluster_state() const { return static_cast<ClusterState>(machine_.state); }
  Action action() const { return static_cast<Action>(machine_.action); }
  Phase phase() const {
    return static_cast<StepKind>(machine_.step_kind) == StepKind::build ? Phase::building : Phase::acting;
  }

  ActionContext context() const { return {action(), phase(), machine_.origin_state}; }

  // Applies the event and emits the change; returns false if the machine refuses it, and nothing has changed.
  bool move(ServiceEvent event);
  bool move(ClusterEvent event);
  bool move(TaskEvent event);

  // Notes the revision of the record that the action applies, with the first step only; an edit since the action began
  // has overtaken it.
  void read_configuration(std::uint64_t revision);

  // Begins an action, and forgets the last one. `detail` is shared by all services of a request. Call before the event
  // of the request.
  void begin_action(Action action, const Id& request, const CopyOnWrite<ActionDetail>& detail);

  // The phases that end successfully from now on needed no work.
  void skip_phases() { success_ = PhaseStatus::skip; }

  // Begin and end the running step of the row, with an event of the feed.
  void begin_step(const Id& step, StepKind kind, Instant deadline);
  void end_step(PhaseStatus status);

  void set_freshness(Freshness freshness);
  // `observation`: JSON text of what else was seen; empty: nothing. The caller has changed it if the state is the same.
  void set_running(RunningState running, std::string_view observation = {});
  // Returns the event, so that its detail can be set; valid until the next one.
  Event& emit(EventKind kind, std::uint8_t from, std::uint8_t to);

  // Sets a state that is not transient, as reported by the system that manages the service; no effect if it has it
  // already.
  void follow(ServiceState state);

  // Sets this error state even if the machine does not allow it: for a row that an earlier fault has left without a
  // transition.
  void leave_in_error(std::uint8_t state) { change_state(state, true, false, false); }

  // Writes the row into the unit. `active` follows the state.
  void put() & { unit_.put(machine_); }
  // Writes the row without a copy; the transition must not be used afterwards.
  void put() && { unit_.put(std::move(machine_)); }

 private:
  EventDetail said_of_step(std::optional<PhaseStatus> status) const;
  void change_state(std::uint8_t to, bool is_error_state, bool is_transient_state, bool is_canceled);

  Unit& unit_;
  Id organization_;
  Machine machine_;
  PhaseStatus success_ = PhaseStatus::success;
};

}  // namespace orlop
