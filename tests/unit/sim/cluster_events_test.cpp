// Every state of a cluster and every event: allowed events do what the table says, others are refused and change
// nothing.
#include "lifecycle/action.h"
#include "unit/sim/state_walk.h"

namespace orlop {
namespace {

using Event = ClusterEvent;
using State = ClusterState;

struct ClusterRequest {
  std::string_view method;
  std::string_view path;
  Event event;
};
// Paths below the cluster.
const std::map<std::string, ClusterRequest> requests = {
    {"deploy", {"POST", "/deploy", Event::request_deploy}},
    {"dry run", {"POST", "/deploy?dry_run=true", Event::request_dry_run}},
    {"upgrade", {"POST", "/upgrade", Event::request_upgrade}},
    {"stop", {"POST", "/stop", Event::request_stop}},
    {"delete", {"DELETE", "", Event::request_delete}},
};

class ClusterWalk : public tests::StateWalk<ClusterLifecycle> {
 public:
  ClusterWalk() {
    simulation.organization = simulation.make("/organization", R"({"name":"acme","plan":"FREE"})");
    subject = simulation.make("/organization/" + simulation.organization + "/cluster",
                              R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
    // Only the walk reports: the driver of the simulation takes longer.
    simulation.ask("POST", "/-/sim/rules", R"({"delay":"1000h","cancel_after":"1000h"})");
  }

 protected:
  std::vector<std::string> names() const override {
    std::vector<std::string> out = {"hold deploy", "hold dry run",       "hold stop",     "hold delete",
                                    "release",     "set RESTART_QUEUED", "set CANCELING", "set CANCELED"};
    for (const auto& [name, request] : requests) out.push_back(name);
    for (const char* kind : {"build_started", "built", "started", "executing", "recap", "progress", "log", "succeeded",
                             "failed", "credentials_refused", "contact_lost", "canceled"}) {
      out.push_back("report " + std::string(kind));
    }
    return out;
  }

  Stimulus stimulus(const std::string& name, const Machine& machine) const override {
    if (name.starts_with("report ")) return of_report(name, machine);
    const State state = state_of(machine);
    Stimulus out{name, {}, {}, {}, 409};
    if (name.starts_with("set ") || name == "release") return of_control(std::move(out), machine);
    const bool is_new = state == State::ready && machine.deployed == 0;
    if (is_new && name.ends_with("delete")) {
      out.removes = true;  // only the record is deleted
      out.refusal = 204;
      return out;
    }
    if (name.starts_with("hold ")) {
      out.event = requests.at(name.substr(5)).event;
      if (next(state, *out.event) && next(state, Event::hold) && next(State::queued, *out.event))
        out.event = Event::hold;
      return out;
    }
    out.event = requests.at(name).event;
    // The cluster already has the latest known version.
    if (name == "upgrade" && static_cast<Action>(machine.action) == Action::upgrade)
      out.event.reset(), out.is_control = true;
    return out;
  }

  Reply request(const std::string& name) override {
    if (name == "release") return simulation.ask("POST", "/-/sim/state", R"({"resource":")" + subject + "\"}");
    if (name.starts_with("hold ")) {
      simulation.ask("POST", "/-/sim/state", R"({"resource":")" + subject + R"(","hold":true})");
      return request(name.substr(5));
    }
    const ClusterRequest& asked = requests.at(name);
    const bool is_flat = name == "upgrade";
    return simulation.ask(asked.method,
                          (is_flat ? "/cluster/" : "/organization/" + simulation.organization + "/cluster/") + subject +
                              std::string(asked.path));
  }

  void check_refusal(const Reply& reply, const Machine& machine, const std::string& where) override {
    EXPECT_NE(reply.body.find("is " + std::string(to_string(state_of(machine)))), std::string::npos) << where;
    EXPECT_NE(reply.body.find(" not"), std::string::npos) << where;
  }

 private:
  Stimulus of_control(Stimulus out, const Machine& machine) const {
    const State state = state_of(machine);
    out.is_control = true;
    const auto take = [&](Event event) {
      if (next(state, event, context(machine))) out.event = event;
    };
    if (out.name == "release" && state == State::queued)
      take(*row_of(static_cast<Action>(machine.action)).cluster_request);
    if (out.name == "set RESTART_QUEUED" && !is_transient(state)) take(Event::request_restart);
    const bool is_left = out.name == "set CANCELING" || out.name == "set CANCELED";
    if (is_left && is_transient(state) && state != State::canceling && state != State::dry_run) {
      const auto started = row_of(static_cast<Action>(machine.action)).cluster_started;
      if (!machine.step.is_nil() && started) out.before = {*started};
      out.event = Event::cancel_requested;
    }
    return out;
  }

  static bool deploys(const Machine& machine) {
    return static_cast<Action>(machine.action) == Action::deploy ||
           static_cast<Action>(machine.action) == Action::upgrade;
  }

  Stimulus of_report(const std::string& name, const Machine& machine) const {
    const std::string kind = name.substr(7);
    const State state = state_of(machine);
    const auto started = row_of(static_cast<Action>(machine.action)).cluster_started;
    Stimulus out{name, {}, {}, {}, 0};
    if (machine.step.is_nil()) return out;  // the report is ignored
    if (kind == "build_started" && deploys(machine)) out.event = Event::build_started;
    if (kind == "built" && deploys(machine)) out = {name, {Event::build_started}, Event::built, {}, 0};
    if (kind == "started" && started) out.event = *started;
    if (kind == "failed") out.event = Event::failed;
    if (kind == "credentials_refused")
      out.event = next(state, Event::credentials_refused) ? Event::credentials_refused : Event::failed;
    if (kind == "canceled") out.event = state == State::canceling ? Event::canceled : Event::failed;
    if (kind != "succeeded") return out;
    if (state == State::dry_run) out.event = Event::dry_run_finished;
    else if (state == State::canceling) out.event = Event::canceled;
    else
      out = {name,
             state == State::building ? std::vector{Event::built}
             : started                ? std::vector{*started}
                                      : std::vector<Event>(),
             Event::succeeded,
             {},
             0};
    return out;
  }
};

// Events that the table allows, but that the engine never causes.
const std::set<ClusterWalk::Cell> never_done = {
    // The record is deleted at once, or does not exist.
    {State::ready, Event::request_delete},
    {State::deleted, Event::request_deploy},
    {State::deleted, Event::request_dry_run},
    // The interface has no request for a restart. set_state starts one without waiting, whose step is at the driver: a
    // cancel counts it as begun.
    {State::queued, Event::request_restart},
    {State::restart_queued, Event::cancel_requested},
    // A held request waits until it is released or canceled.
    {State::queued, Event::failed},
};

TEST(EveryClusterStateAndEvent, IsVisitedAllowedOrRefused) {
  ClusterWalk walk;
  walk.walk();
  EXPECT_GT(walk.contexts(), 25U);
  EXPECT_EQ(tests::shown(tests::left_of_table(walk.visited)), tests::shown(never_done))
      << "`never_done` of tests/unit/sim/cluster_events_test.cpp lists these rows of core/lifecycle/rows.h";
  const std::set<std::string> names = walk.tried_names();
  EXPECT_EQ(names.size(), 5U + 4 + 12) << testing::PrintToString(names);
  for (int number = 1; number <= state_count<ClusterState>; ++number) {
    const auto state = static_cast<State>(number);
    if (state == State::deleted) continue;  // the record does not exist
    for (const std::string& name : names)
      EXPECT_TRUE(walk.tried.contains({state, name}))
          << name << " in " << to_string(state) << ", to which `route_to` of core/sim/states/path_to_state.cpp leads";
  }
}

}  // namespace
}  // namespace orlop
