// A connection pool of a host.
#pragma once

#include <libpq-fe.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "orlop/postgresql.h"

namespace orlop::contract {

// For use from any thread.
class HostPool {
 public:
  explicit HostPool(std::string connection) : connection_(std::move(connection)) {}
  ~HostPool() {
    for (PGconn* const link : idle_) PQfinish(link);
  }
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  orlop_postgresql_options options(const std::string& schema) {
    orlop_postgresql_options options = ORLOP_POSTGRESQL_OPTIONS_INIT;
    options.acquire = acquire;
    options.release = release;
    options.pool = this;
    options.schema = {schema.data(), schema.size()};
    options.connections_max = 64;
    options.writer_idle_timeout_ms = 600'000;
    return options;
  }

  // Hands out these connections next; nullptr: none.
  void give_next(PGconn* link) {
    const std::lock_guard lock(mutex_);
    next_.push_back(link);
  }
  PGconn* connect(const std::string& more = "") const { return PQconnectdb((connection_ + more).c_str()); }
  // Runs the query on each idle connection; returns the answers.
  std::vector<std::string> ask_idle(const std::string& text) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> answers;
    for (PGconn* const link : idle_) {
      PGresult* const result = PQexec(link, text.c_str());
      answers.emplace_back(PQresultStatus(result) == PGRES_TUPLES_OK ? PQgetvalue(result, 0, 0) : PQerrorMessage(link));
      PQclear(result);
    }
    return answers;
  }

  std::atomic<int> acquired = 0;
  std::atomic<int> held = 0;
  std::atomic<int> held_most = 0;
  std::atomic<int> closed = 0;  // connections released as unusable

 private:
  static PGconn* acquire(void* pool, int64_t) { return static_cast<HostPool*>(pool)->take(); }
  static void release(void* pool, PGconn* link, int32_t is_usable) {
    static_cast<HostPool*>(pool)->give(link, is_usable != 0);
  }

  PGconn* take() {
    const std::lock_guard lock(mutex_);
    PGconn* link = nullptr;
    if (!next_.empty()) {
      link = next_.front();
      next_.erase(next_.begin());
      if (link == nullptr) return nullptr;
    } else if (!idle_.empty()) {
      link = idle_.back();
      idle_.pop_back();
    } else {
      link = connect();
    }
    ++acquired;
    held_most = std::max<int>(held_most, ++held);
    return link;
  }

  void give(PGconn* link, bool is_usable) {
    const std::lock_guard lock(mutex_);
    --held;
    if (is_usable) return idle_.push_back(link);
    ++closed;
    PQfinish(link);
  }

  const std::string connection_;
  std::mutex mutex_;  // guards the members below
  std::vector<PGconn*> idle_;
  std::vector<PGconn*> next_;
};

}  // namespace orlop::contract
