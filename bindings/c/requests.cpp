// Requests, replies and buffers.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "guard.h"
#include "instance.h"
#include "request_of.h"
#include "tables.h"
#include "wire/pointer.h"

using namespace orlop;
using namespace orlop::c;

namespace {

// A reply whose memory is allocated before the request is answered: a committed request must not return an error
// because memory ran out.
class ReservedReply {
 public:
  ReservedReply() : held_(std::make_shared<HeldReply>()), handle_(replies().add(held_)) {}
  ~ReservedReply() {
    if (handle_ != nullptr) (void)replies().take(handle_);
  }
  ReservedReply(const ReservedReply&) = delete;
  ReservedReply& operator=(const ReservedReply&) = delete;

  orlop_reply* give(Reply reply) noexcept {
    held_->reply = std::move(reply);
    return std::exchange(handle_, nullptr);
  }

 private:
  std::shared_ptr<HeldReply> held_;
  orlop_reply* handle_;
};

bool is_same_name(std::string_view left, std::string_view right) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char one, char other) { return lower(one) == lower(other); });
}

// Returns `read(reply)`, or `otherwise` if the handle is not valid.
template <typename Value, typename Read>
Value of_reply(const orlop_reply* reply, Value otherwise, Read&& read) {
  return guard_or(otherwise, [&]() -> Value {
    const auto found = replies().find(reply);
    return found ? read(found.value()->reply) : otherwise;
  });
}

}  // namespace

extern "C" {

orlop_error* orlop_dispatch(orlop_reply** reply, orlop_engine* engine, const orlop_request* request) {
  return guard([&]() -> Result<void> {
    if (reply == nullptr) return misuse("the out parameter for the reply must not be NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(given, read_request(request));
    std::string joined;
    ReservedReply reserved;
    ORLOP_TRY(answered, host->dispatch(request_of(given, joined)));
    *reply = reserved.give(std::move(answered));
    return {};
  });
}

orlop_error* orlop_authenticate(orlop_reply** refusal, orlop_engine* engine, const orlop_request* request) {
  return guard([&]() -> Result<void> {
    if (refusal == nullptr) return misuse("the out parameter for the refusal must not be NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(given, read_request(request));
    std::string joined;
    ORLOP_TRY(refused, host->engine().authenticate(request_of(given, joined)));
    *refusal = refused ? replies().add(std::make_shared<HeldReply>(std::move(*refused))) : nullptr;
    return {};
  });
}

int32_t orlop_reply_status(const orlop_reply* reply) {
  return of_reply<int32_t>(reply, 0, [](const Reply& held) { return held.status; });
}

orlop_text orlop_reply_body(const orlop_reply* reply) {
  return of_reply<orlop_text>(reply, {"", 0}, [](const Reply& held) { return text_of(held.body); });
}

size_t orlop_reply_header_count(const orlop_reply* reply) {
  return of_reply<size_t>(reply, 0, [](const Reply& held) { return held.headers.size(); });
}

orlop_header orlop_reply_header(const orlop_reply* reply, size_t index) {
  const orlop_header none = {{"", 0}, {"", 0}};
  return of_reply(reply, none, [&](const Reply& held) {
    if (index >= held.headers.size()) return none;
    return orlop_header{text_of(held.headers[index].first), text_of(held.headers[index].second)};
  });
}

orlop_text orlop_reply_header_find(const orlop_reply* reply, orlop_text name) {
  return of_reply<orlop_text>(reply, {nullptr, 0}, [&](const Reply& held) {
    for (const auto& [held_name, value] : held.headers) {
      if (is_same_name(held_name, view_of(name))) return text_of(value);
    }
    return orlop_text{nullptr, 0};
  });
}

orlop_text orlop_reply_find(const orlop_reply* reply, const char* pointer) {
  const orlop_text none = {nullptr, 0};
  if (pointer == nullptr) return none;
  return guard_or(none, [&]() -> orlop_text {
    const auto held = replies().find(reply);
    if (!held) return none;
    HeldReply& of = *held.value();
    const std::lock_guard lock(of.mutex);
    if (const auto known = of.found.find(std::string_view(pointer)); known != of.found.end())
      return text_of(known->second);
    auto value = find_by_pointer(of.reply.body, pointer);
    if (!value) return none;
    return text_of(of.found.emplace(pointer, std::move(*value)).first->second);
  });
}

void orlop_reply_free(orlop_reply* reply) {
  if (reply == nullptr) return;
  guard_or(0, [&] { return replies().take(reply).ok() ? 1 : 0; });
}

orlop_text orlop_buffer_text(const orlop_buffer* buffer) {
  return guard_or<orlop_text>({"", 0}, [&]() -> orlop_text {
    const auto found = buffers().find(buffer);
    return found ? text_of(*found.value()) : orlop_text{"", 0};
  });
}

void orlop_buffer_free(orlop_buffer* buffer) {
  if (buffer == nullptr) return;
  guard_or(0, [&] { return buffers().take(buffer).ok() ? 1 : 0; });
}

}  // extern "C"
