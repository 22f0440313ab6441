// Names and numbers of states, events and the other enumerations: each name parses to its value, and no number
// changes.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "lifecycle/event.h"
#include "lifecycle/state.h"

namespace orlop {
namespace {

template <typename State, typename Parse>
void expect_round_trip(Parse parse) {
  std::set<std::string_view> enum_values;
  for (int number = 1; number <= state_count<State>; ++number) {
    const auto value = static_cast<State>(number);
    const std::string_view enum_value = to_string(value);
    EXPECT_FALSE(enum_value.empty()) << number;
    EXPECT_TRUE(enum_values.insert(enum_value).second) << enum_value << " twice";
    EXPECT_EQ(parse(enum_value), value) << enum_value;
  }
  EXPECT_EQ(to_string(static_cast<State>(0)), "");
  EXPECT_EQ(to_string(static_cast<State>(state_count<State> + 1)), "") << "a value beyond the count";
  EXPECT_FALSE(parse("")) << "no name";
  EXPECT_FALSE(parse("NO_SUCH_NAME"));
}

TEST(EnumNames, of_states_come_back) {
  expect_round_trip<ServiceState>(parse_service_state);
  expect_round_trip<ClusterState>(parse_cluster_state);
  EXPECT_FALSE(parse_service_state("deployed")) << "states are upper case";
  EXPECT_FALSE(parse_cluster_state("EXECUTING")) << "a service's state only";
}

TEST(EnumNames, of_events) {
  EXPECT_EQ(to_string(ServiceEvent::request_deploy), "request_deploy");
  EXPECT_EQ(to_string(static_cast<ServiceEvent>(0)), "");
  EXPECT_EQ(to_string(static_cast<ServiceEvent>(event_count<ServiceEvent> + 1)), "") << "a value beyond the count";
}

// A new state is appended as the last row of the list.
template <typename State, std::size_t count>
void expect_numbers(const char* list, const std::string_view (&spellings)[count]) {
  int number = 0;
  for (const std::string_view spelling : spellings) EXPECT_EQ(to_string(static_cast<State>(++number)), spelling);
  while (++number <= state_count<State>) {
    ADD_FAILURE() << "`" << list << "` in tests/unit/lifecycle/names_test.cpp lacks its last row: \""
                  << to_string(static_cast<State>(number)) << "\"";
  }
}

TEST(EnumNames, of_tasks) {
  constexpr std::string_view states[] = {"QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED"};
  expect_numbers<TaskState>("states", states);
  const std::string_view events[] = {"started", "succeeded", "failed", "canceled"};
  int number = 0;
  for (const std::string_view event : events) EXPECT_EQ(to_string(static_cast<TaskEvent>(++number)), event);
  EXPECT_EQ(number, event_count<TaskEvent>);
}

TEST(EnumNames, of_freshness_running_state_and_action) {
  EXPECT_EQ(to_string(Freshness::never_deployed), "NEVER_DEPLOYED");
  EXPECT_EQ(to_string(Freshness::out_of_date), "OUT_OF_DATE");
  EXPECT_EQ(to_string(Freshness::up_to_date), "UP_TO_DATE");
  EXPECT_EQ(to_string(RunningState::none), "");
  EXPECT_EQ(to_string(RunningState::completed), "COMPLETED");
  EXPECT_EQ(to_string(Action::none), "UNKNOWN");
  EXPECT_EQ(to_string(Action::remove), "DELETE");
  EXPECT_EQ(to_string(Action::uninstall), "DELETE");
}

// Stored and public: a failure means that a number was reused or moved.
TEST(Numbers, of_states_never_move) {
  constexpr std::string_view service[] = {"READY",       "QUEUED",           "DEPLOYMENT_QUEUED",  "WAITING_RUNNING",
                                          "BUILDING",    "DEPLOYING",        "EXECUTING",          "RECAP",
                                          "DEPLOYED",    "RESTART_QUEUED",   "WAITING_RESTARTING", "RESTARTING",
                                          "RESTARTED",   "STOP_QUEUED",      "WAITING_STOPPING",   "STOPPING",
                                          "STOPPED",     "DELETE_QUEUED",    "WAITING_DELETING",   "DELETING",
                                          "DELETED",     "CANCELING",        "CANCELED",           "UNAVAILABLE",
                                          "BUILD_ERROR", "DEPLOYMENT_ERROR", "RESTART_ERROR",      "STOP_ERROR",
                                          "DELETE_ERROR"};
  expect_numbers<ServiceState>("service", service);

  constexpr std::string_view cluster[] = {"READY",
                                          "QUEUED",
                                          "DEPLOYMENT_QUEUED",
                                          "DRY_RUN",
                                          "BUILDING",
                                          "DEPLOYING",
                                          "DEPLOYED",
                                          "RESTART_QUEUED",
                                          "RESTARTING",
                                          "RESTARTED",
                                          "STOP_QUEUED",
                                          "STOPPING",
                                          "STOPPED",
                                          "DELETE_QUEUED",
                                          "DELETING",
                                          "DELETED",
                                          "CANCELING",
                                          "CANCELED",
                                          "INVALID_CREDENTIALS",
                                          "BUILD_ERROR",
                                          "DEPLOYMENT_ERROR",
                                          "RESTART_ERROR",
                                          "STOP_ERROR",
                                          "DELETE_ERROR"};
  expect_numbers<ClusterState>("cluster", cluster);
}

TEST(Charts, draw_a_state_that_services_and_clusters_share_alike) {
  std::map<std::string, std::string> charts;
  const std::set<std::string> phases = {
#define ORLOP_CHART_PHASE(name, glyph, colour, meaning) #name,
#include "lifecycle/states.def"
  };
  const auto expect_same = [&](const std::string& state, const std::string& chart) {
    EXPECT_EQ(phases.count(chart), 1U) << state << " is drawn as " << chart;
    EXPECT_EQ(charts.emplace(state, chart).first->second, chart) << state;
  };
#define ORLOP_SERVICE_STATE(name, number, spelling, action, nature, phase, status, chart, ...) \
  expect_same(spelling, #chart);
#define ORLOP_CLUSTER_STATE(name, number, spelling, action, nature, chart, ...) expect_same(spelling, #chart);
#include "lifecycle/states.def"
}

}  // namespace
}  // namespace orlop
