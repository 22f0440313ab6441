// Plays a transcript against an engine: requests, and checks of their answers. Every answer, and the body of every
// request that succeeds, must also match the interface's description. One command a line:
//
//   POST /organization {"name": "acme", "plan": "FREE"} -> 201    a request and the status of its answer
//     name = "acme"                          a member of the answer (indented)
//     id => organization                     stores it: later lines refer to it by {organization}
//     results.size = 4                       size of a list
//     results[0].name ~ "DEFAULT"            a part of a text
//     secret absent
//     body empty
//   settle                                   ticks until nothing is left to do now
//   as Bearer person:ada:ada@example.org     later requests come from outside, with this Authorization
//   as host                                  later requests come from the host
//   advance 90                               moves the clock by seconds, then settles
//   hold orders                              steps of the subject do not end until "release orders"
//   fail orders "no image"                   steps of the subject fail until "heal orders"
//   say orders "image pulled"                a line of the log of the held step
//   see {container} RUNNING {"restarts": 1}  the driver reports a running state, and what else it sees
//   configuration orders                     the next lines check the configuration of the subject's last step
//   answer list_branches [{"name": "main"}]  from here on the external systems answer this question so
//   with platform                            plays rest/setup/platform.txt first
//   steps deploy orders, deploy api          the steps that began since the last "steps", in order
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "engine.h"
#include "hand_driver.h"
#include "model/value.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "unit/describe/filled_members.h"
#include "unit/people.h"

namespace orlop::tests {

class Transcript {
 public:
  Transcript();
  // Fails the running test at each line that is not satisfied.
  void play(const std::filesystem::path& file);
  // "GET /container/{containerId}" for every request that was answered as expected, with success.
  const std::set<std::string>& served() const { return served_; }
  // Members of all described answers.
  const FilledMembers& members() const { return members_; }
  // Plays one line of a transcript; returns "" if it is satisfied, else what is wrong.
  std::string play_line(std::string_view line);

 private:
  std::string ask(std::string_view line);
  std::string look(std::string_view line);
  std::string compare(std::string_view path, std::string_view sign, std::string_view expected);
  std::string order(std::string_view token, std::string_view rest);
  std::string take_answer(std::string body);
  std::string take_text(std::string body);
  std::string settle();
  std::string see(const std::string& service, std::string_view state, std::string observation);
  std::string expand(std::string_view text) const;

  VirtualClock clock_;
  SeededRandomSource random_source_;
  HandDriver driver_;
  People people_;
  std::unique_ptr<Engine> engine_;
  std::map<std::string, std::string> kept_;
  std::set<std::string> served_;
  FilledMembers members_;
  std::string authorization_;  // "" for the host
  std::string body_;
  Value answer_;
};

}  // namespace orlop::tests
