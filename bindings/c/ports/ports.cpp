#include "ports/ports.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "guard.h"
#include "instance.h"

namespace orlop::c {

Result<void> logged(Instance* host, std::string_view port, Result<void> accepted) {
  if (!accepted) host->log(LogLevel::warning, port_noun(port) + " failed: " + accepted.error().message);
  return accepted;
}

}  // namespace orlop::c

using namespace orlop;
using namespace orlop::c;

extern "C" orlop_error* orlop_report_delivery(orlop_engine* engine, orlop_id delivery, int32_t status,
                                              orlop_text text) {
  return guard([&]() -> Result<void> {
    constexpr std::size_t text_kept = 4096;
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_CHECK(check_text(text, "text"));
    if (status < 0 || status > 599) {
      return make_error(ErrorCode::invalid, "status must be 0 to 599, not " + std::to_string(status));
    }
    host->engine().report_delivery(
        {id_of(delivery), static_cast<std::uint16_t>(status), std::string(view_of(text).substr(0, text_kept))});
    return {};
  });
}
