// Which engines are alive. Each engine holds a lock of the server (an advisory one, of its session) for as long as its process lives: a process that is killed loses
// its connection, and with it the lock. A connection that is lost otherwise is made again at once, so that an engine counts as ended when its lock was seen, and is then
// missed by several looks over one and the same connection.
//
// Threads: any.
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

  // The number of an engine's lock.
  static std::uint32_t key_of(const orlop_id& engine);
  // The statements: take or release the lock of one engine, if it is free; the numbers of all locks that are held, with commas between them.
  std::string lock(std::uint32_t key) const;
  std::string unlock(std::uint32_t key) const;
  std::string look() const;

  // The answer to look(). True: an engine has ended since the last one.
  bool see(std::string_view answer);
  // A new connection: what was seen over another one says nothing, for the server may be another one.
  void forget();

  bool has_ended(const orlop_id& engine) const;
  // Whether an engine other than these is there.
  bool has_others(const std::set<std::uint32_t>& own) const;

 private:
  const std::uint32_t schema_;
  mutable std::mutex mutex_;  // guards the following
  std::map<std::uint32_t, int> misses_;  // by engine that was seen: how often in a row it was missed since
};

}  // namespace orlop::postgresql
