#include "ports/ports.h"

#include <string>
#include <vector>

#include "guard.h"
#include "instance.h"
#include "ports/callbacks.h"

namespace orlop::c {

Result<void> HostWebhookSender::deliver(const Delivery& delivery) {
  std::vector<orlop_header> headers;
  for (const auto& [name, value] : delivery.headers) headers.push_back({text_of(name), text_of(value)});
  orlop_delivery given{};
  given.size = sizeof given;
  given.engine = engine_;
  given.id = id_of(delivery.id);
  given.webhook = id_of(delivery.webhook);
  given.organization = id_of(delivery.organization);
  given.attempt = delivery.attempt;
  given.url = text_of(delivery.url);
  given.headers = headers.data();
  given.header_count = headers.size();
  given.body = text_of(delivery.body);
  orlop_error* refusal = nullptr;
  orlop_error* thrown = guard([&]() -> Result<void> {
    const Inside inside(host_, Callback::port);
    refusal = given_.deliver(given_.context, &given);
    return {};
  });
  if (thrown != nullptr) {
    orlop_error_free(thrown);
    host_->log(LogLevel::error, "the webhook sender threw an exception into C");
    return make_error(ErrorCode::driver_failed, "the webhook sender threw an exception into C");
  }
  if (refusal == nullptr) return {};
  Error error = make_error(ErrorCode::driver_failed, orlop_error_message(refusal));
  orlop_error_free(refusal);
  host_->log(LogLevel::warning, "the webhook sender failed: " + error.message);
  return error;
}

}  // namespace orlop::c

using namespace orlop;
using namespace orlop::c;

extern "C" orlop_error* orlop_report_delivery(orlop_engine* engine, orlop_id delivery, int32_t status, orlop_text text) {
  return guard([&]() -> Result<void> {
    constexpr std::size_t text_kept = 4096;
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_CHECK(check_text(text, "text"));
    if (status < 0 || status > 599) {
      return make_error(ErrorCode::invalid, "status must be 0 to 599, not " + std::to_string(status));
    }
    host->engine().report_delivery({id_of(delivery), static_cast<std::uint16_t>(status), std::string(view_of(text).substr(0, text_kept))});
    return {};
  });
}
