// Plays a transcript against an engine: what is asked, and what of the answer is looked at. Every answer, and the body
// of every request that succeeds, must also be as the interface's description says. One command a line:
//
//   POST /organization {"name": "acme", "plan": "FREE"} -> 201    a request and the status of its answer
//     name = "acme"                                                a member of the answer (indented) id => organization
//     keeps it: {organization} stands for it from here on results.size = 4          results[0].name ~ "DEFAULT"
//     a list's size; a part of a text secret absent             body empty
//   settle                       ticks until nothing is left to do now as Bearer person:ada:ada@example.org
//   requests come from outside from here on, with this Authorization;
//                                                                "as host": from the host again
//   advance 90                   moves the clock by seconds, then settles hold orders                  steps of the
//   subject named so do not end until "release orders" fail orders "no image"       … end badly, until "heal orders"
//   say orders "image pulled"    a line of the log of the held step configuration orders         the next lines check
//   the configuration of the subject's last step, like an answer answer list_branches [{"name": "main"}]
//   the external systems answer this question so from here on with platform                plays
//   rest/setup/platform.txt first steps deploy orders, deploy api                                the steps that began
//   since the last "steps", in order
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
  // Fails the running test at each line that does not hold.
  void play(const std::filesystem::path& file);
  // "GET /container/{containerId}" of every request that was answered as expected, with success.
  const std::set<std::string>& served() const { return served_; }
  // The members of all answers that were described.
  const FilledMembers& members() const { return members_; }
  // One line of a transcript; "" if it holds, else what is wrong.
  std::string play_line(std::string_view line);

 private:
  std::string ask(std::string_view line);
  std::string look(std::string_view line);
  std::string compare(std::string_view path, std::string_view sign, std::string_view expected);
  std::string order(std::string_view token, std::string_view rest);
  std::string take_answer(std::string body);
  std::string take_text(std::string body);
  std::string settle();
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
