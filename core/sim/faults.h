// Faults of the interface of a simulation: requests that are refused, answered late, or whose answer is lost.
//
//   {"operation": "deploy_*", "status": 503, "latency": "2s", "drop": true, "probability": 0.1, "nth": 3, "times": 1}
//
// The last added fault that matches a request applies. What is drawn follows from the seed, the fault and how many requests it has matched.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "rest/exchange.h"
#include "wire/writer.h"

namespace orlop {

inline constexpr std::uint16_t dropped_status = 444;  // servers close the connection

struct Fault {
  std::string operation = "*";  // id of the operation; * stands for any text, ? for one byte
  std::uint16_t status = 0;     // 0: the request is carried out
  Duration latency;
  bool drop = false;            // the request is carried out, and its answer is lost
  std::optional<double> probability;
  std::uint32_t nth = 0;
  std::uint32_t times = 0;
  Value given = Value::object();
  std::uint64_t matched = 0;
  std::uint64_t applied = 0;
};

// Threads: every function may be called from any thread.
class Faults {
 public:
  explicit Faults(std::uint64_t seed) : seed_(seed) {}

  // One fault, or {"faults": [...]}, all or nothing; those of a snapshot have the counts "matched" and "applied". Error invalid.
  Result<void> add(const Value& given);
  void clear();
  bool any() const { return any_; }
  // {"faults": [...]}
  void write(Writer& out) const;

  // The fault of this request, counted; nothing: it has none.
  std::optional<Fault> next(const Request& request);

 private:
  std::uint64_t seed_;
  mutable std::mutex mutex_;
  std::vector<Fault> faults_;
  std::atomic<bool> any_ = false;
};

// The answer in the place of the engine's. The status is not 0.
Reply faulty_reply(std::uint16_t status);

}  // namespace orlop
