// Answers of a simulation that are right and all the same not what a client hopes for: reads that lag behind, and enum
// values that its description does not know.
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

// In the JSON of the answer each text that is written like an enum value, in upper case, in a member whose name matches
// becomes unknown_enum_value.
Reply with_unknown_enums(Reply reply, std::string_view pattern);

// The last answers of reads, by a text that begins with the path and a question mark. Threads: every function may be
// called from any thread.
class StaleAnswers {
 public:
  struct Answer {
    Instant at;
    std::shared_ptr<const Reply> reply;
  };
  using Answers = std::map<std::string, Answer, std::less<>>;
  using Memory = Shared<Answers>;
  // What is known. It is shared until another answer is noted, and never changes.
  Memory memory() const {
    const std::lock_guard lock(mutex_);
    return answers_;
  }
  void go_back(Memory answers) {
    const std::lock_guard lock(mutex_);
    answers_ = std::move(answers);
  }

  // What a replica that lags `lag` behind may answer at `now`: what it answered to the same key less than `lag` ago;
  // not_found about a resource that is younger than that. Else what `fresh` answers.
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
  Memory answers_;  // nothing: there are none
};

}  // namespace orlop
