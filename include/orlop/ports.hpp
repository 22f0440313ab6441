// The ports in C++ that are not custom, and how they become C callbacks. Included by host.hpp. Generated from core/base/options/ports: do not edit.
#ifndef ORLOP_PORTS_HPP
#define ORLOP_PORTS_HPP

#include <cstddef>
#include <functional>
#include <string_view>

#include "orlop/callbacks.hpp"
#include "orlop/ports.h"
#include "orlop/values.hpp"

namespace orlop {
inline namespace api {

using Delivery = orlop_delivery;

// Receives messages that are not events. There are few: none for a request, a step or an event. Receives one sentence
// without secrets. Called from several threads at once, possibly with locks of the engine held: it returns soon, and
// calls no function of this engine. What it throws is ignored.
struct Log : std::function<void(orlop_log_level level, std::string_view message)> {
  using function::function;
};

// Sends the messages of webhooks. Accepts a message and returns at once; the result is reported with `report_delivery`,
// from any thread. An error counts as a failed attempt with its message. An exception counts as the error.
struct WebhookSender : std::function<void(const Delivery& delivery)> {
  using function::function;
};

namespace detail {

inline void call_log(void* port, orlop_log_level level, orlop_text message) noexcept {
  inform_port([&] { (*static_cast<Log*>(port))(level, view_of(message)); });
}
inline orlop_log callbacks_of(Log* held) { return {sizeof(orlop_log), held, call_log, release<Log>}; }

inline orlop_error *call_webhook_sender(void* port, const struct orlop_delivery *delivery) noexcept {
  return run_port([&] { (*static_cast<WebhookSender*>(port))(*delivery); });
}
inline orlop_webhook_sender callbacks_of(WebhookSender* held) { return {sizeof(orlop_webhook_sender), held, call_webhook_sender, release<WebhookSender>}; }

}  // namespace detail

}  // namespace api
}  // namespace orlop

#endif
