// Ports: what the engine uses beside its driver. A host gives those it has; without one the engine answers as the reference says. Calls come on the thread that
// called the engine, with no lock held, and must not call the engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"

namespace orlop {

// Answers questions about what only systems outside of the engine know (externals/question.h).
class ExternalSystems {
 public:
  virtual ~ExternalSystems() = default;
  // `input` and the answer are JSON texts. The call returns when the answer is there, from any number of threads at once. Errors: unanswered (the systems do not
  // answer this question), external_failed, external_timeout.
  virtual Result<std::string> ask(std::string_view question, std::string_view input) = 0;
  // Whether the systems may answer the question: false spares the caller what it would do to ask.
  virtual bool answers(std::string_view question) const = 0;
};

// One message to a receiver of an organization. Its id is stored before it is handed over and never changes: receivers may use it to
// find out what they have seen.
struct Delivery {
  Id id;
  Id webhook;
  Id organization;
  std::uint32_t attempt = 1;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// Carries messages out. Its answers come by Engine::delivered.
class WebhookSender {
 public:
  virtual ~WebhookSender() = default;
  // Returns at once. An error counts as an attempt that failed with its message.
  virtual Result<void> deliver(const Delivery& delivery) = 0;
};

// How an attempt to deliver went.
struct DeliveryReport {
  Id delivery;
  std::uint16_t status = 0;  // the receiver's HTTP status; 0: it gave none
  std::string text;          // why there is no status, or the beginning of the receiver's answer
};

}  // namespace orlop
