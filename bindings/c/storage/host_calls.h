// Calls of the functions of the host's store, and their visitors.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/text/connection_string.h"
#include "base/text/utf8.h"
#include "guard.h"
#include "ports/callbacks.h"
#include "storage/rows.h"
#include "store/found_fault.h"
#include "store/store.h"

namespace orlop::c {

// Maps the host's codes that the engine does not distinguish to storage_failed.
ErrorCode understood(orlop_code code);

// Calls a function of the host's store. Errors: that of the function, or storage_failed if it threw an exception into
// C.
template <typename Call>
Result<void> call_store(const void* host, const Call& call) {
  orlop_error* refusal = nullptr;
  orlop_error* thrown = guard([&]() -> Result<void> {
    const Inside inside(host, Callback::store);
    refusal = call();
    return {};
  });
  if (thrown != nullptr) {
    orlop_error_free(thrown);
    return broken_promise("it threw an exception into C");
  }
  if (refusal == nullptr) return {};
  Error error = make_error(understood(orlop_error_code(refusal)), without_passwords(orlop_error_message(refusal)));
  orlop_error_free(refusal);
  return error;
}

// Visitor for the host's store: copies and checks each row before it passes it to the visitor of the core.
template <typename Row, typename Given>
class Visit {
 public:
  // `fits` returns nullptr if the row may follow the one before, else a description of the fault.
  using Fits = std::function<const char*(const Row& row)>;
  Visit(const std::function<bool(const Row&)>& visit, std::uint64_t limit, Fits fits)
      : visit_(visit), left_(limit), fits_(std::move(fits)) {}

  static std::int32_t take(void* self, const Given* given) {
    return guard_or<std::int32_t>(
        0, [&]() -> std::int32_t { return self == nullptr ? 0 : static_cast<Visit*>(self)->take_one(given); });
  }
  const Result<void>& outcome() const { return outcome_; }

 private:
  std::int32_t take_one(const Given* given) {
    if (is_over_) return 0;
    is_over_ = true;  // reset below if the row is valid
    auto row = taken(given);
    if (!row) return refuse(std::move(row).error());
    if (left_ == 0) return refuse(broken_promise("it gave more than was asked for"));
    if (const char* wrong = fits_(*row)) return refuse(broken_promise(wrong));
    --left_;
    is_over_ = !visit_(*row);
    return is_over_ ? 0 : 1;
  }
  std::int32_t refuse(Error error) {
    outcome_ = std::move(error);
    return 0;
  }

  const std::function<bool(const Row&)>& visit_;
  std::uint64_t left_;
  Fits fits_;
  bool is_over_ = false;
  Result<void> outcome_;
};

// Arguments of the one call of the visitor of links().
struct LinksTaken {
  RecordLinks links;
  Result<void> outcome;

  static std::int32_t take(void* self, orlop_text name_key, const orlop_id* references, size_t reference_count) {
    return guard_or<std::int32_t>(0, [&]() -> std::int32_t {
      auto& held = *static_cast<LinksTaken*>(self);
      auto given = taken(name_key, references, reference_count);
      if (given) held.links = std::move(*given);
      else held.outcome = std::move(given).error();
      return 0;
    });
  }
};

// Visitor of check(); its argument is the FaultVisitor. Texts that are not UTF-8 are left out.
inline std::int32_t take_fault(void* visitor, const orlop_store_fault* fault) {
  return guard_or<std::int32_t>(0, [&]() -> std::int32_t {
    if (fault == nullptr) return 1;
    const auto text = [](orlop_text given) {
      return is_utf8(view_of(given)) ? std::string(view_of(given)) : std::string();
    };
    const auto& visit = *static_cast<const FaultVisitor*>(visitor);
    visit({text(fault->type), text(fault->id), text(fault->fault), text(fault->advice)});
    return 1;
  });
}

}  // namespace orlop::c
