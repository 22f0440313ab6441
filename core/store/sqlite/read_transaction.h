// Transactions that read a SQLite file.
#pragma once

#include <memory>

#include "store/sqlite/readers.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/store.h"

namespace orlop {

// Objects that a transaction with the cache needs. All must outlive it.
struct SqliteCachedReading {
  SqliteReaders& readers;
  SqliteRowCache& cache;
  const SqliteConnection& log;  // provides log_header()
};

// Begins a read of a snapshot of the file.
Result<std::unique_ptr<Transaction>> begin_sqlite_read(SqliteReaders& readers);

// Implements Store::read().
Result<void> read_sqlite_cached(const SqliteCachedReading& reading, const Store::Act& act);

}  // namespace orlop
