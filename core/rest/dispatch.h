// From a request to its reply: the route, the checks that the route declares, the handler in one transaction, the words for a refusal.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "ops/call.h"
#include "ops/commit.h"
#include "rest/exchange.h"

namespace orlop {

class Dispatcher {
 public:
  // Called with the environments and clusters that a committed request gave new work.
  using Wake = std::function<void(std::span<const Id> owners)>;
  // Answers GET /openapi.json.
  using Describe = std::function<std::string()>;

  // All must outlive the dispatcher.
  Dispatcher(Store& store, Committer& committer, Clock& clock, Entropy& entropy, const Settings& settings, Wake wake,
             Describe describe)
      : store_(store),
        committer_(committer),
        clock_(clock),
        entropy_(entropy),
        settings_(settings),
        wake_(std::move(wake)),
        describe_(std::move(describe)) {}

  // A refusal is a reply; an error means that no answer could be made. From any thread.
  Result<Reply> dispatch(const Request& request);

 private:
  Result<Answer> answer(const Request& request);
  Result<Answer> answer_read(const Operation& operation, const Call& call);
  Result<Answer> answer_write(const Operation& operation, const Call& call);

  Store& store_;
  Committer& committer_;
  Clock& clock_;
  Entropy& entropy_;
  const Settings& settings_;
  Wake wake_;
  Describe describe_;
};

}  // namespace orlop
