#include "rest/problem.h"

#include <algorithm>
#include <cstddef>

#include "wire/writer.h"

namespace orlop {

std::uint16_t status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
    case ErrorCode::too_large: return 400;
    case ErrorCode::unauthenticated: return 401;
    case ErrorCode::forbidden: return 403;
    case ErrorCode::not_found: return 404;
    case ErrorCode::method_not_allowed: return 405;
    case ErrorCode::conflict:
    case ErrorCode::lost_update: return 409;
    case ErrorCode::events_forgotten: return 410;
    case ErrorCode::precondition_failed: return 412;
    case ErrorCode::key_reused: return 422;
    case ErrorCode::rate_limited: return 429;
    case ErrorCode::unanswered: return 501;
    case ErrorCode::external_failed: return 502;
    case ErrorCode::external_timeout: return 504;
    case ErrorCode::misuse:
    case ErrorCode::closed:
    case ErrorCode::foreign_handle:
    case ErrorCode::storage_failed:
    case ErrorCode::storage_busy:
    case ErrorCode::storage_newer:
    case ErrorCode::storage_corrupt:
    case ErrorCode::storage_foreign:
    case ErrorCode::storage_sealed:
    case ErrorCode::lease_lost:
    case ErrorCode::step_lost:
    case ErrorCode::driver_failed:
    case ErrorCode::try_later:
    case ErrorCode::out_of_memory:
    case ErrorCode::internal: return 500;
  }
  return 500;
}

std::string_view reason_of(std::uint16_t status) {
  struct Reason {
    std::uint16_t status;
    std::string_view phrase;
  };
  constexpr Reason reasons[] = {
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {409, "Conflict"},
      {410, "Gone"},
      {412, "Precondition Failed"},
      {422, "Unprocessable Content"},
      {429, "Too Many Requests"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  };
  for (const Reason& reason : reasons) {
    if (reason.status == status) return reason.phrase;
  }
  return status < 500 ? "Client Error" : "Server Error";
}

std::string problem_body(const Error& error) {
  const std::uint16_t status = status_of(error.code);
  Writer out(128 + 2 * error.message.size());
  out.begin_object().field("status", static_cast<std::int64_t>(status)).field("error", reason_of(status));
  out.field("message", error.message).field("detail", error.message);
  if (status == 400) {
    out.key("violations").begin_list();
    const std::size_t shown = std::min(error.violations.size(), violations_shown_max);
    for (std::size_t at = 0; at < shown; ++at) {
      const Violation& violation = error.violations[at];
      out.begin_object().field("field", violation.field).field("reason", violation.reason).end_object();
    }
    if (error.violations.empty()) out.begin_object().field("field", "").field("reason", error.message).end_object();
    out.end_list();
    const std::size_t omitted = error.violations.size() - shown;
    if (omitted != 0) out.field("violations_omitted", static_cast<std::int64_t>(omitted));
  }
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
