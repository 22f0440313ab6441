// Files for SQLite in memory that simulate a loss of power: synced content survives, and a random part of the rest. For
// one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace orlop::contract {

// Part of the unsynced content that survives a loss of power.
enum class Leftover : std::uint8_t { nothing, random_part };

enum class Operation : std::uint8_t { write, truncate, sync, create, remove };

// Provides SQLite's default files while it lives; at most one at a time.
class PowerCutDisk {
 public:
  PowerCutDisk();
  ~PowerCutDisk();
  PowerCutDisk(const PowerCutDisk&) = delete;
  PowerCutDisk& operator=(const PowerCutDisk&) = delete;

  // Cuts the power at the operation of this number (from 1): it and all later ones fail. 0: never.
  void cut_at(std::size_t operation);
  bool is_cut() const;
  // The operation of this number fails, once, as on a full disk. 0: none.
  void fail_at(std::size_t operation);
  // All operations so far, in order.
  const std::vector<Operation>& operations() const;
  // Makes syncs report success without syncing.
  void ignore_syncs();
  // Restores the power after all files are closed: they then hold what the cut left.
  void restore_power(Leftover leftover, std::mt19937_64& random);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace orlop::contract
