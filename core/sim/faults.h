// Faults of the interface of a simulation: requests that are refused, answered late, or whose answer is lost.
//
//   {"operation": "deploy_*", "status": 503, "latency": "2s", "drop": true, "stale": "5s", "unknown_enum": "state",
//   "probability": 0.1, "nth": 3, "times": 1}
//
// The header `X-Orlop-Fault` with such an object, without the members that select requests, sets the fault of one
// request. Else the last added fault that matches the request applies. Draws derive from the seed, the fault and the
// number of requests that it has matched.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "rest/exchange.h"
#include "wire/writer.h"

namespace orlop {

inline constexpr std::uint16_t dropped_status = 444;  // servers close the connection

struct Fault {
  std::string operation = "*";  // id of the operation; * matches any text, ? one byte
  std::uint16_t status = 0;     // 0: the request is carried out
  Duration latency;
  bool drop = false;  // the request is carried out, and its reply is lost
  Duration stale;     // of a GET: maximum age of the state in its reply (spoiled_answers.h)
  // Pattern of members of the reply whose enum values are replaced by one that no description has.
  std::string unknown_enum;
  std::optional<double> probability;
  std::uint32_t nth = 0;
  std::uint32_t times = 0;
  Value given = Value::object();
  std::uint64_t matched = 0;
  std::uint64_t applied = 0;
  bool is_asked = false;  // set by the header of the request
};

// Threads: every function may be called from any thread.
class Faults {
 public:
  explicit Faults(std::uint64_t seed) : seed_(seed) {}

  // Adds one fault, or {"faults": [...]}: all or nothing. Faults of a snapshot have the counts "matched" and "applied".
  // Error invalid.
  Result<void> add(const Value& given);
  void clear();
  bool any() const { return any_; }
  std::vector<Fault> all() const;
  void set_all(std::vector<Fault> faults);
  void reseed(std::uint64_t seed);
  void write(Writer& out) const;

  // Returns the fault that applies to the request, and counts it; nullopt if none. Error invalid: the header is
  // malformed.
  Result<std::optional<Fault>> next(const Request& request);

 private:
  mutable std::mutex mutex_;
  std::uint64_t seed_;
  std::vector<Fault> faults_;
  std::atomic<bool> any_ = false;
};

inline constexpr std::string_view fault_header = "x-orlop-fault";

// Returns the reply in place of the engine's. `status` is not 0.
Reply faulty_reply(std::uint16_t status);

}  // namespace orlop
