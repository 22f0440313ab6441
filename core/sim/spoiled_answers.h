// Replies of a simulation that are valid and yet unexpected by clients: stale reads, and enum values that the
// description does not have.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/instant.h"
#include "base/result.h"
#include "base/shared.h"
#include "rest/exchange.h"

namespace orlop {

inline constexpr std::string_view unknown_enum_value = "SIMULATED_VALUE";

// Replaces texts in the JSON of the reply by unknown_enum_value: those that look like enum values, in upper case, in a
// member whose name matches.
Reply with_unknown_enums(Reply reply, std::string_view pattern);

// The last replies to reads, by a key that begins with the path and a question mark. Threads: every function may be
// called from any thread.
class StaleAnswers {
 public:
  struct Answer {
    Instant at;
    std::shared_ptr<const Reply> reply;
  };
  using Answers = std::map<std::string, Answer, std::less<>>;
  using Memory = Shared<Answers>;
  // Known replies; shared until another one is noted, and never changed.
  Memory memory() const {
    const std::lock_guard lock(mutex_);
    return answers_;
  }
  void go_back(Memory answers) {
    const std::lock_guard lock(mutex_);
    answers_ = std::move(answers);
  }

  // Returns what a replica that lags `lag` behind may answer at `now`: its reply to the same key less than `lag` ago;
  // not_found for a resource that is younger than that. Else the reply of `fresh`.
  template <typename Fresh>
  Result<Reply> read(std::string_view key, Instant now, Duration lag, const Fresh& fresh) {
    if (auto known = find(key, now, lag)) return std::move(*known);
    auto reply = fresh();
    if (reply && reply->status < 300) note(key, now, *reply);
    return reply;
  }

 private:
  std::optional<Reply> find(std::string_view key, Instant now, Duration lag);
  void note(std::string_view key, Instant now, const Reply& reply);

  mutable std::mutex mutex_;
  Memory answers_;  // null if there are none
};

}  // namespace orlop
