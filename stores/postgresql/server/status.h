// Outcome of an operation of the store.
#pragma once

#include <string>
#include <utility>

#include "orlop/storage.h"

namespace orlop::postgresql {

struct [[nodiscard]] Status {
  // Reaction to an error that is possible, other than reporting it.
  enum class Kind {
    final,
    lost,       // the connection is gone: connect again
    transient,  // a deadlock or a serialization failure: run the transaction again
    unmet,      // the condition of the statement is false
  };
  orlop_code code = ORLOP_ERROR_NONE;
  std::string message;
  Kind kind = Kind::final;

  bool ok() const { return code == ORLOP_ERROR_NONE; }
};

inline Status failed(std::string message) { return {ORLOP_ERROR_STORAGE_FAILED, std::move(message)}; }
inline Status misuse(std::string message) { return {ORLOP_ERROR_MISUSE, std::move(message)}; }

// Returns the error, if there is one, from the enclosing function.
#define ORLOP_PG_CHECK(...)                                                              \
  do {                                                                                   \
    if (::orlop::postgresql::Status status = (__VA_ARGS__); !status.ok()) return status; \
  } while (false)

}  // namespace orlop::postgresql
