// Detection of live engines. Each engine holds an advisory lock of its session as long as its process lives: a killed
// process loses its connection, and so the lock. A connection that is lost for another reason is made again
// immediately. So an engine counts as ended when its lock was seen, and then missed by several looks over the same
// connection. Instead of this process the server may have seen the lock: the row of a peer says when (`server`).
//
// Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "orlop/storage.h"

namespace orlop::postgresql {

class Presence {
 public:
  static constexpr std::chrono::milliseconds look_interval{300};
  static constexpr int misses_until_ended = 2;

  explicit Presence(const std::string& schema);

  // Returns the first number of all locks of a schema.
  static std::uint32_t number_of(const std::string& schema);

  // Returns the number of an engine's lock.
  static std::uint32_t key_of(const orlop_id& engine);
  // Statements: take one engine's lock if it is free; release it; return the numbers of all held locks, separated by
  // commas.
  std::string lock(std::uint32_t key) const;
  std::string unlock(std::uint32_t key) const;
  std::string look() const;
  // Returns the statement for the numbers of the locks that the server has seen since it started.
  static std::string peers(const std::string& prefix);
  // Returns the statement that notes in the row of the engine with this lock, if it exists, that this server has seen
  // it.
  static std::string note(std::uint32_t key, const std::string& prefix);

  // Takes the results of look(), and of peers() if that was run. Returns true if an engine has ended since the last
  // call.
  bool see(std::string_view held, std::string_view peers = {});
  // Called for a new connection: what was seen over the former one does not count, because the server may be another
  // one.
  void forget();

  bool has_ended(const orlop_id& engine) const;
  // Reports whether an engine other than these is present.
  bool has_others(const std::set<std::uint32_t>& own) const;

 private:
  const std::uint32_t schema_;
  mutable std::mutex mutex_;             // guards the members below
  std::map<std::uint32_t, int> misses_;  // by engine that was seen: number of consecutive misses since
};

}  // namespace orlop::postgresql
