// Transactions that read a SQLite file.
#pragma once

#include <memory>

#include "store/sqlite/readers.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/store.h"

namespace orlop {

// What a transaction needs that may answer from the cache. All outlive it.
struct SqliteCachedReading {
  SqliteReaders& readers;
  SqliteRowCache& cache;
  const SqliteConnection& log;  // whose log_header() is asked
};

// A snapshot of the file.
Result<std::unique_ptr<Transaction>> begin_sqlite_read(SqliteReaders& readers);

// Store::read().
Result<void> read_sqlite_cached(const SqliteCachedReading& reading, const Store::Act& act);

}  // namespace orlop
