// Files for SQLite in memory that simulate a loss of power: what was synced stays, and a random part of the rest.
// For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace orlop::contract {

// What a loss of power leaves of what was not synced.
enum class Leftover : std::uint8_t { nothing, random_part };

enum class Operation : std::uint8_t { write, truncate, sync, create, remove };

// SQLite's default files while it lives; at most one at a time.
class PowerCutDisk {
 public:
  PowerCutDisk();
  ~PowerCutDisk();
  PowerCutDisk(const PowerCutDisk&) = delete;
  PowerCutDisk& operator=(const PowerCutDisk&) = delete;

  // The power fails at the operation of this number (from 1), which and all later ones end in an error. 0: never.
  void cut_at(std::size_t operation);
  bool is_cut() const;
  // The operation of this number ends in an error, once: a full disk, or a device that hiccups. 0: none.
  void fail_at(std::size_t operation);
  // Every operation so far, in order.
  const std::vector<Operation>& operations() const;
  // A disk that says it has synced, and has not.
  void ignore_syncs();
  // After all files are closed: the power is back, and the files hold what the cut left.
  void restore_power(Leftover leftover, std::mt19937_64& random);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace orlop::contract
