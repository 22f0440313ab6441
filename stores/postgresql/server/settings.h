// Settings with which a store was opened.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "orlop/postgresql.h"
#include "server/status.h"

namespace orlop::postgresql {

// The host's functions for connections; if they are null, the store connects itself.
struct HostPool {
  pg_conn* (*acquire)(void* pool, std::int64_t timeout_ms) = nullptr;
  void (*release)(void* pool, pg_conn* connection, std::int32_t is_usable) = nullptr;
  void* pool = nullptr;
  explicit operator bool() const { return acquire != nullptr; }
};

struct Settings {
  HostPool host_pool;
  // Parameters of libpq, names and values in the same order; empty with a host pool.
  std::vector<std::string> names;
  std::vector<std::string> values;
  std::string schema;  // unquoted
  std::string prefix;  // the quoted schema with a dot: "orlop".
  std::size_t connections_max = 32;
  std::chrono::milliseconds lock_timeout{30'000};
  std::chrono::milliseconds writer_idle_timeout{5'000};
  std::string server;  // beginning of messages: "PostgreSQL (host db.example.com, database platform)"
};

// Returns names or values in libpq's form, with a null at the end. Valid as long as the texts.
std::vector<const char*> list_of(const std::vector<std::string>& texts);

// Reads the options without connecting. Errors: MISUSE, INVALID.
Status read_settings(const orlop_postgresql_options& options, Settings& settings);

}  // namespace orlop::postgresql
