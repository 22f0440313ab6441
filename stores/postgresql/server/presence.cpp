#include "server/presence.h"

#include <charconv>

#include "server/statements.h"

namespace orlop::postgresql {
namespace {

std::uint32_t hash_of(std::string_view bytes) {
  std::uint32_t hash = 2166136261U;
  for (const char byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
  return hash;
}

// Returns the two numbers of a lock as arguments of the server's functions, which are signed.
std::string numbers_of(std::uint32_t schema, std::uint32_t key) {
  return "(" + std::to_string(static_cast<std::int32_t>(schema)) + ", " +
         std::to_string(static_cast<std::int32_t>(key)) + ")";
}

std::set<std::uint32_t> numbers_in(std::string_view answer) {
  std::set<std::uint32_t> numbers;
  for (const char *at = answer.data(), *const end = at + answer.size(); at < end;) {
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.insert(number);
    at = stop + 1;
  }
  return numbers;
}

}  // namespace

Presence::Presence(const std::string& schema) : schema_(number_of(schema)) {}

std::uint32_t Presence::number_of(const std::string& schema) { return hash_of("orlop:" + schema); }

std::uint32_t Presence::key_of(const orlop_id& engine) {
  return hash_of({reinterpret_cast<const char*>(engine.bytes), sizeof engine.bytes});
}

std::string Presence::lock(std::uint32_t key) const { return "SELECT pg_try_advisory_lock" + numbers_of(schema_, key); }

std::string Presence::unlock(std::uint32_t key) const { return "SELECT pg_advisory_unlock" + numbers_of(schema_, key); }

// objsubid 2: a lock with two numbers. The lock of the writers has one.
std::string Presence::look() const {
  return "SELECT string_agg(objid::text, ',') FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
         "AND classid = " +
         std::to_string(schema_) + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
}

std::string Presence::peers(const std::string& prefix) {
  return with_prefix("SELECT string_agg(lock::text, ',') FROM @peer WHERE server = pg_postmaster_start_time()", prefix);
}

// SKIP LOCKED: a writer that has locked the row sets the time itself (Statement::set_peers).
std::string Presence::note(std::uint32_t key, const std::string& prefix) {
  return with_prefix(
      "UPDATE @peer SET server = pg_postmaster_start_time() WHERE engine IN (SELECT engine FROM @peer WHERE lock = " +
          std::to_string(key) + " AND server IS DISTINCT FROM pg_postmaster_start_time() FOR UPDATE SKIP LOCKED)",
      prefix);
}

bool Presence::see(std::string_view held_answer, std::string_view peers_answer) {
  const std::set<std::uint32_t> held = numbers_in(held_answer);
  const std::lock_guard lock(mutex_);
  for (const std::uint32_t key : numbers_in(peers_answer)) misses_.try_emplace(key, 0);
  bool has_ended = false;
  for (auto& [key, misses] : misses_) {
    if (held.contains(key)) misses = 0;
    else if (misses < misses_until_ended && ++misses == misses_until_ended) has_ended = true;
  }
  for (const std::uint32_t key : held) misses_.try_emplace(key, 0);
  return has_ended;
}

void Presence::forget() {
  const std::lock_guard lock(mutex_);
  misses_.clear();
}

bool Presence::has_ended(const orlop_id& engine) const {
  const std::lock_guard lock(mutex_);
  const auto found = misses_.find(key_of(engine));
  return found != misses_.end() && found->second >= misses_until_ended;
}

bool Presence::has_others(const std::set<std::uint32_t>& own) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, misses] : misses_) {
    if (misses < misses_until_ended && !own.contains(key)) return true;
  }
  return false;
}

}  // namespace orlop::postgresql
