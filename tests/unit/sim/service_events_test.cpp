// Every state of a service and every event: allowed events do what the table says, others are refused and change
// nothing.
#include "lifecycle/action.h"
#include "unit/sim/state_walk.h"

namespace orlop {
namespace {

using Event = ServiceEvent;
using State = ServiceState;

const std::map<std::string, Action> actions = {{"redeploy", Action::deploy},
                                               {"restart-service", Action::restart},
                                               {"stop", Action::stop},
                                               {"uninstall", Action::uninstall}};

class ServiceWalk : public tests::StateWalk<ServiceLifecycle> {
 public:
  explicit ServiceWalk(std::string family) : family_(std::move(family)) {
    simulation.furnish();
    for (const std::string& database : simulation.databases) simulation.ask("DELETE", "/database/" + database);
    subject = family_ == "job" ? simulation.make_job() : simulation.make_application();
    // Only the walk reports: the driver of the simulation takes longer.
    simulation.ask("POST", "/-/sim/rules", R"({"delay":"1000h","cancel_after":"1000h"})");
  }

 protected:
  std::vector<std::string> names() const override {
    std::vector<std::string> out = {"redeploy",      "stop",      "uninstall",   "delete", "cancel",
                                    "hold redeploy", "hold stop", "hold delete", "release"};
    if (family_ == "application") out.insert(out.end(), {"restart-service", "hold restart-service"});
    for (const char* kind : {"build_started", "built", "started", "executing", "recap", "progress", "log", "succeeded",
                             "failed", "credentials_refused", "contact_lost", "canceled"}) {
      out.push_back("report " + std::string(kind));
    }
    return out;
  }

  Stimulus stimulus(const std::string& name, const Machine& machine) const override {
    if (name.starts_with("report ")) return of_report(name, machine);
    const State state = state_of(machine);
    const bool is_new = machine.deployed == 0 && state == State::ready;
    Stimulus out{name, {}, {}, {}, 409};
    if (name.starts_with("hold ")) {
      // An event that the state does not allow is refused, held or not; a service in a final state waits only for an
      // allowed event.
      const Event event = event_of(name.substr(5));
      if (is_new && event == Event::request_delete) return removal(std::move(out));
      out.event = next(state, event) ? Event::hold : event;
      if (is_transient(state)) out.event = Event::hold;
      return out;
    }
    if (name == "release") {
      out.is_control = true;
      if (state == State::queued) out.event = *row_of(static_cast<Action>(machine.action)).service_request;
      if (machine.step.is_nil() && (state == State::deployment_queued || state == State::restart_queued ||
                                    state == State::stop_queued || state == State::delete_queued))
        out.event = Event::admitted;
      if (state == State::queued) out.after = {Event::admitted};
      return out;
    }
    if (name == "cancel") {
      out.event = Event::cancel_requested;
      if (!machine.step.is_nil() && state != State::canceling && state != State::unavailable)
        out.before = beginning(machine);
      // A service that is being canceled answers a second cancel like the first, and nothing changes.
      if (state == State::canceling) out.refusal = 202;
      return out;
    }
    if (name == "uninstall" && is_new) {
      out.refusal = 204;  // there is nothing to uninstall
      return out;
    }
    if (is_new && event_of(name) == Event::request_delete) return removal(std::move(out));
    out.event = event_of(name);
    if (is_transient(state)) {
      // While a request of its environment waits or runs there is no other, even if the machine allows it.
      if (next(state, *out.event)) out.event.reset();
      return out;
    }
    out.after = {Event::admitted};
    return out;
  }

  Reply request(const std::string& name) override {
    if (name.starts_with("hold ")) {
      simulation.ask("POST", "/-/sim/state", R"({"resource":")" + simulation.environment + R"(","hold":true})");
      return request(name.substr(5));
    }
    if (name == "release") return simulation.ask("POST", "/-/sim/state", R"({"resource":")" + subject + "\"}");
    if (name == "cancel")
      return simulation.ask("POST", "/environment/" + simulation.environment + "/cancelDeployment",
                            R"({"force_cancel":false})");
    if (name == "delete") return simulation.ask("DELETE", "/" + family_ + "/" + subject);
    return simulation.ask("POST", "/" + family_ + "/" + subject + "/" + name);
  }

  void check_refusal(const Reply& reply, const Machine& machine, const std::string& where) override {
    const bool names_allowed = reply.body.find("allowed") != std::string::npos &&
                               reply.body.find(to_string(state_of(machine))) != std::string::npos;
    EXPECT_TRUE(is_transient(state_of(machine)) || reply.body.find("nothing") != std::string::npos || names_allowed)
        << where;
  }

 private:
  // Only the record is deleted.
  static Stimulus removal(Stimulus given) {
    given.removes = true;
    given.refusal = 204;
    return given;
  }
  static Event event_of(const std::string& name) {
    return name == "delete" ? Event::request_delete : *row_of(actions.at(name)).service_request;
  }
  static std::vector<Event> beginning(const Machine& machine) {
    if (static_cast<StepKind>(machine.step_kind) == StepKind::build) return {Event::build_started};
    return {*row_of(static_cast<Action>(machine.action)).service_started};
  }

  Stimulus of_report(const std::string& name, const Machine& machine) const {
    const std::string kind = name.substr(7);
    const bool builds = static_cast<StepKind>(machine.step_kind) == StepKind::build;
    const State state = state_of(machine);
    const bool is_canceling = state == State::canceling;
    Stimulus out{name, {}, {}, {}, 0};
    static const std::map<std::string, Event> events = {{"build_started", Event::build_started},
                                                        {"built", Event::built},
                                                        {"executing", Event::execution_started},
                                                        {"recap", Event::recap_started},
                                                        {"succeeded", Event::succeeded},
                                                        {"failed", Event::failed},
                                                        {"credentials_refused", Event::failed},
                                                        {"contact_lost", Event::contact_lost},
                                                        {"canceled", Event::canceled}};
    if (kind == "progress" || kind == "log") return out;
    if (machine.step.is_nil()) {
      out.event = kind == "started" ? Event::deploy_started : events.at(kind);
      if (next(state, *out.event, context(machine))) out.event.reset();  // cannot occur: no step runs
      return out;
    }
    out.event = kind == "started" ? beginning(machine).front() : events.at(kind);
    const bool ends = kind == "succeeded" || (kind == "built" && builds);
    if (!builds && (kind == "build_started" || kind == "built")) {
      if (next(state, *out.event, context(machine))) out.event.reset();
      return out;
    }
    if (builds && (kind == "failed" || kind == "credentials_refused")) out.before = {Event::build_started};
    if (!builds && (kind == "executing" || kind == "recap" || kind == "succeeded") && !is_canceling)
      out.before = beginning(machine);
    if (builds && ends) {
      out.before =
          is_canceling || state == State::unavailable ? std::vector<Event>() : std::vector<Event>{Event::build_started};
      out.event = is_canceling ? Event::canceled : Event::built;
    } else if (ends && is_canceling) {
      out.event = Event::finished_anyway;
    } else if (ends && static_cast<Action>(machine.action) == Action::uninstall) {
      out.event = Event::uninstalled;
    }
    if (kind == "canceled" && !is_canceling) {
      out.event = Event::failed;
      if (builds) out.before = {Event::build_started};
    }
    return out;
  }

  std::string family_;
};

// A built service waits for the builds of others, and is canceled while it waits: WAITING_RUNNING without a step.
void cancel_what_is_built(std::set<ServiceWalk::Cell>& visited) {
  tests::Simulation simulation;
  simulation.furnish();
  const std::string built = simulation.make_application();
  simulation.make_application("slow");
  simulation.ask("POST", "/-/sim/rules", R"({"step":"build","name":"slow","delay":"1000h"})");
  simulation.ask("POST", "/environment/" + simulation.environment + "/deploy");
  ASSERT_TRUE(simulation->advance({0}).ok());
  ASSERT_EQ(simulation.state(built, "application"), "WAITING_RUNNING");
  simulation.ask("POST", "/environment/" + simulation.environment + "/cancelDeployment", R"({"force_cancel":true})");
  EXPECT_EQ(simulation.state(built, "application"), "CANCELED");
  visited.emplace(State::waiting_running, Event::cancel_requested);
}

// A deployment that waits for its cluster fails with it: DEPLOYMENT_QUEUED.
void fail_what_waits(std::set<ServiceWalk::Cell>& visited) {
  tests::Simulation simulation({}, Authentication::off,
                               "memory:", [](Settings& settings) { settings.require_cluster = true; });
  simulation.furnish();
  const std::string project =
      simulation.make("/organization/" + simulation.organization + "/project", R"({"name":"more"})");
  const std::string environment = simulation.make(
      "/project/" + project + "/environment", R"({"name":"on a cluster","cluster_id":")" + simulation.cluster + "\"}");
  const std::string service = simulation.make("/environment/" + environment + "/database",
                                              R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"db"})");
  simulation.ask("POST", "/-/sim/rules", R"({"kind":"cluster","after":"10m","fails":"no quota"})");
  simulation.ask("POST", "/organization/" + simulation.organization + "/cluster/" + simulation.cluster + "/deploy");
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  const Reply asked = simulation.ask("POST", "/environment/" + environment + "/deploy");
  ASSERT_LT(asked.status, 300) << asked.body;
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  EXPECT_EQ(simulation.state(service), "DEPLOYMENT_QUEUED");
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(simulation.state(service), "DEPLOYMENT_ERROR");
  visited.emplace(State::deployment_queued, Event::failed);
}

// Events that the table allows, but that the engine never causes.
const std::set<ServiceWalk::Cell> never_done = {
    // The record is deleted at once, or does not exist.
    {State::ready, Event::request_delete},
    {State::deleted, Event::request_deploy},
    // A service is admitted before its step starts, and a build ends before the deployment starts.
    {State::deployment_queued, Event::build_started},
    {State::deployment_queued, Event::deploy_started},
    {State::restart_queued, Event::restart_started},
    {State::stop_queued, Event::stop_started},
    {State::delete_queued, Event::delete_started},
    {State::building, Event::deploy_started},
    // A service that waits for its restart, stop or deletion has its step at the driver: a cancel counts it as begun.
    {State::waiting_restarting, Event::cancel_requested},
    {State::waiting_stopping, Event::cancel_requested},
    {State::waiting_deleting, Event::cancel_requested},
    // Only a deployment waits for its cluster; a held request waits until it is released or canceled.
    {State::queued, Event::failed},
    {State::restart_queued, Event::failed},
    {State::stop_queued, Event::failed},
    {State::delete_queued, Event::failed},
};

TEST(EveryServiceStateAndEvent, IsVisitedAllowedOrRefused) {
  std::set<ServiceWalk::Cell> visited;
  std::set<std::pair<State, std::string>> tried;
  std::set<std::string> names;
  for (const char* family : {"application", "job"}) {
    ServiceWalk walk(family);
    walk.walk();
    EXPECT_GE(walk.contexts(), 30U);
    names.merge(walk.tried_names());
    visited.merge(walk.visited);
    tried.merge(walk.tried);
  }
  cancel_what_is_built(visited);
  fail_what_waits(visited);
  EXPECT_EQ(tests::shown(tests::left_of_table(visited)), tests::shown(never_done))
      << "`never_done` of tests/unit/sim/service_events_test.cpp lists these rows of core/lifecycle/rows.h";
  EXPECT_EQ(names.size(), 22U) << testing::PrintToString(names);
  std::size_t count = 0;
  for (int number = 1; number <= state_count<ServiceState>; ++number) {
    const auto state = static_cast<State>(number);
    if (state == State::deleted) continue;  // the record does not exist
    for (const std::string& name : names) {
      if (state == State::executing && name.ends_with("restart-service")) continue;  // jobs are not restarted
      EXPECT_TRUE(tried.contains({state, name}))
          << name << " in " << to_string(state) << ", to which `route_to` of core/sim/states/path_to_state.cpp leads";
      ++count;
    }
  }
  EXPECT_EQ(count, (state_count<ServiceState> - 1U) * names.size() - 2);
}

}  // namespace
}  // namespace orlop
