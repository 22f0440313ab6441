// Calls that are repeated while memory fails at each allocation in turn, and the checks that those tests share. To be
// included by one file of a program.
#ifndef ORLOP_TESTS_EXHAUST_H
#define ORLOP_TESTS_EXHAUST_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "check.h"
#include "failing_memory.h"
#include "orlop/orlop.h"

namespace {

long at = 0;             // number of the allocation that fails now
const char* doing = "";  // name of the tried call

#define SO(condition)                                                                                             \
  do {                                                                                                            \
    if (!(condition)) {                                                                                           \
      std::fprintf(stderr, "%s:%d: not so: %s, when memory ran out %s at place %ld of: %s\n", __FILE__, __LINE__, \
                   #condition, for_ever ? "for ever" : "once", at, doing);                                        \
      std::exit(1);                                                                                               \
    }                                                                                                             \
  } while (0)

// A call that is tried with its first allocation failing, then its second, and so on, until no allocation fails.
struct Trial {
  const char* what;
  std::function<orlop_error*()> call;
  std::function<void()> before = [] {};  // runs while no allocation fails
  std::function<void(bool succeeded)> after = [](bool) {};
  long sparsity = 1'000'000;  // tries every allocation up to this one, then fewer and fewer
};

void exhaust(const Trial& trial) {
  doing = trial.what;
  for (const bool from_there_on : {false, true}) {
    for (at = 0;; at += 1 + at / trial.sparsity) {
      trial.before();
      for_ever = from_there_on;
      has_failed = false;
      left = at;
      orlop_error* error = trial.call();
      left = plenty;
      const orlop_code code = orlop_error_code(error);
      if (code != ORLOP_ERROR_NONE && code != ORLOP_ERROR_OUT_OF_MEMORY)
        std::fprintf(stderr, "%s\n", orlop_error_message(error));
      orlop_error_free(error);
      SO(code == ORLOP_ERROR_NONE || code == ORLOP_ERROR_OUT_OF_MEMORY);
      SO(has_failed || code == ORLOP_ERROR_NONE);
      trial.after(code == ORLOP_ERROR_NONE);
      if (!has_failed) break;
    }
  }
}

std::string body_of(orlop_engine* engine, const std::string& path) {
  orlop_reply* reply = dispatch(engine, "GET", path.c_str(), "");
  std::string body(orlop_reply_body(reply).data, orlop_reply_body(reply).size);
  orlop_reply_free(reply);
  return body;
}

std::uint64_t last_event(orlop_engine* engine) {
  std::uint64_t number = 0;
  OK(orlop_last_event(engine, &number));
  return number;
}

std::size_t count_in_feed(orlop_engine* engine, std::uint64_t since, std::string_view text) {
  orlop_buffer* list = nullptr;
  OK(orlop_events(&list, engine, since, 10'000));
  const std::string_view events(orlop_buffer_text(list).data, orlop_buffer_text(list).size);
  std::size_t count = 0;
  for (std::size_t found = events.find(text); found != std::string_view::npos; found = events.find(text, found + 1))
    ++count;
  orlop_buffer_free(list);
  return count;
}

}  // namespace

#endif
