// Compares the derivation with tests/tables/environment_state.txt, line by line.
#include "lifecycle/environment_state.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace orlop {
namespace {

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream rest(line);
  for (std::string column; std::getline(rest, column, '|');) {
    const std::size_t first = column.find_first_not_of(' ');
    columns.push_back(column.substr(first, column.find_last_not_of(' ') + 1 - first));
  }
  return columns;
}

Action action_named(const std::string& token) {
  static const std::map<std::string, Action> actions = {{"-", Action::none},          {"DEPLOY", Action::deploy},
                                                        {"RESTART", Action::restart}, {"STOP", Action::stop},
                                                        {"DELETE", Action::remove},   {"UNINSTALL", Action::uninstall}};
  return actions.at(token);
}

RequestOutcome outcome_named(const std::string& token) {
  static const std::map<std::string, RequestOutcome> outcomes = {{"", RequestOutcome::none},
                                                                 {"succeeded", RequestOutcome::succeeded},
                                                                 {"failed", RequestOutcome::failed},
                                                                 {"build_failed", RequestOutcome::build_failed},
                                                                 {"canceled", RequestOutcome::canceled}};
  return outcomes.at(token);
}

EnvironmentRequests requests_of(const std::vector<std::string>& columns) {
  EnvironmentRequests requests;
  requests.is_canceling = columns[0].back() == '!';
  requests.running = action_named(columns[0].substr(0, columns[0].size() - (requests.is_canceling ? 1 : 0)));
  requests.queued = action_named(columns[1]);
  const std::size_t space = columns[2].find(' ');
  requests.last = action_named(columns[2].substr(0, space));
  requests.last_outcome = outcome_named(space == std::string::npos ? "" : columns[2].substr(space + 1));
  return requests;
}

// Adds each service, and another one that it removes again, which must have no effect.
ServiceTally services_of(const std::string& column) {
  ServiceTally tally;
  if (column == "-") return tally;
  std::istringstream tokens(column);
  for (std::string token; tokens >> token;) {
    const std::size_t slash = token.find('/');
    const auto participation = token.back() == '!' ? Participation::skipped : Participation::included;
    const auto freshness = token[slash + 1] == 'N'   ? Freshness::never_deployed
                           : token[slash + 1] == 'O' ? Freshness::out_of_date
                                                     : Freshness::up_to_date;
    tally.add(ServiceState::building, Freshness::out_of_date, participation);
    tally.add(parse_service_state(token.substr(0, slash)).value(), freshness, participation);
    tally.remove(ServiceState::building, Freshness::out_of_date, participation);
  }
  return tally;
}

TEST(EnvironmentState, is_what_the_table_says) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/tables/environment_state.txt");
  ASSERT_TRUE(file);
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    SCOPED_TRACE(line);
    const std::vector<std::string> columns = columns_of(line);
    ASSERT_EQ(columns.size(), 6U);
    const ServiceTally services = services_of(columns[3]);
    EXPECT_EQ(to_string(environment_state(requests_of(columns), services)), columns[4]);
    EXPECT_EQ(to_string(environment_freshness(services)), columns[5]);
    ++lines;
  }
  EXPECT_EQ(lines, 41);
}

}  // namespace
}  // namespace orlop
