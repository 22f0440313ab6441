// Which engines are alive. Each engine holds a lock of the server (an advisory one, of its session) for as long as its
// process lives: a process that is killed loses its connection, and with it the lock. A connection that is lost
// otherwise is made again at once, so that an engine counts as ended when its lock was seen, and is then missed by
// several looks over one and the same connection. In place of this process the server itself may have seen the lock:
// the row of a peer says when (`server`).
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

  // The first number of all locks of a schema.
  static std::uint32_t number_of(const std::string& schema);

  // The number of an engine's lock.
  static std::uint32_t key_of(const orlop_id& engine);
  // The statements: take or release the lock of one engine, if it is free; the numbers of all locks that are held, with
  // commas between them.
  std::string lock(std::uint32_t key) const;
  std::string unlock(std::uint32_t key) const;
  std::string look() const;
  // The numbers of the locks that the server has seen its peers hold since it started.
  static std::string peers(const std::string& prefix);
  // Says in the row of the engine with this lock, if there is one, that this server has seen it.
  static std::string note(std::uint32_t key, const std::string& prefix);

  // The answers to look() and to peers(), if that was asked. True: an engine has ended since the last one.
  bool see(std::string_view held, std::string_view peers = {});
  // A new connection: what was seen over another one says nothing, for the server may be another one.
  void forget();

  bool has_ended(const orlop_id& engine) const;
  // Whether an engine other than these is there.
  bool has_others(const std::set<std::uint32_t>& own) const;

 private:
  const std::uint32_t schema_;
  mutable std::mutex mutex_;             // guards the following
  std::map<std::uint32_t, int> misses_;  // by engine that was seen: how often in a row it was missed since
};

}  // namespace orlop::postgresql
