// Errors as handles. The out-of-memory error needs no memory.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>

#include "base/text/utf8.h"
#include "guard.h"
#include "tables.h"

namespace orlop::c {
namespace {

// Constant handle, whose number no slot has. Freeing it does nothing.
orlop_error* out_of_memory() { return reinterpret_cast<orlop_error*>(std::uintptr_t{0x4F04'FFFF'FFFF'FFFF}); }

constexpr const char* out_of_memory_message = "memory ran out";

}  // namespace

Error error_of_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) { return {ErrorCode::out_of_memory, {}, {}}; } catch (const std::exception& failure) {
    return guard_or<Error>({ErrorCode::out_of_memory, {}, {}}, [&] {
      return make_error(ErrorCode::internal, std::string("a defect of the library: ") + failure.what());
    });
  } catch (...) { return {ErrorCode::internal, {}, {}}; }
}

orlop_error* give(Error error) noexcept {
  if (error.code == ErrorCode::out_of_memory) return out_of_memory();
  return guard_or(out_of_memory(), [&] {
    // A message may quote bytes from the host, but must be UTF-8 without zeros.
    if (!is_utf8(error.message)) error.message = to_utf8(error.message);
    std::ranges::replace(error.message, '\0', '?');
    return errors().add(std::make_shared<Error>(std::move(error)));
  });
}

}  // namespace orlop::c

using namespace orlop;
using namespace orlop::c;

namespace {

orlop_code code_of(const orlop_error* error) {
  if (error == nullptr) return ORLOP_ERROR_NONE;
  if (error == out_of_memory()) return ORLOP_ERROR_OUT_OF_MEMORY;
  const auto found = errors().find(error);
  return static_cast<orlop_code>(found ? found.value()->code : found.error().code);
}

}  // namespace

extern "C" {

orlop_code orlop_error_code(const orlop_error* error) {
  return guard_or<orlop_code>(ORLOP_ERROR_OUT_OF_MEMORY, [&] { return code_of(error); });
}

const char* orlop_error_name(const orlop_error* error) {
  const orlop_code code = orlop_error_code(error);
  // Names are literals and therefore end in a zero.
  return code == ORLOP_ERROR_NONE ? "none" : name_of(static_cast<ErrorCode>(code)).data();
}

const char* orlop_error_message(const orlop_error* error) {
  if (error == nullptr) return "";
  if (error == out_of_memory()) return out_of_memory_message;
  return guard_or(out_of_memory_message, [&] {
    const auto found = errors().find(error);
    if (found) return found.value()->message.c_str();
    return found.error().code == ErrorCode::closed ? "the error was freed before this call"
                                                   : "this is not an error of this library";
  });
}

void orlop_error_free(orlop_error* error) {
  if (error == nullptr || error == out_of_memory()) return;
  guard_or(0, [&] { return errors().take(error).ok() ? 1 : 0; });
}

orlop_error* orlop_error_new(orlop_code code, orlop_text message) {
  // name_of() returns the name of `internal` for unknown codes.
  const bool is_known =
      code == ORLOP_ERROR_INTERNAL || name_of(static_cast<ErrorCode>(code)) != name_of(ErrorCode::internal);
  const auto known = is_known ? static_cast<ErrorCode>(code) : ErrorCode::driver_failed;
  return guard([&]() -> Result<void> {
    ORLOP_CHECK(check_text(message, "message"));
    return make_error(known, std::string(view_of(message)));
  });
}

}  // extern "C"
