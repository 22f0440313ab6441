// A store in PostgreSQL 13 to 18. The library liborlop-postgresql uses nothing of Orlop but storage.h, and nothing else
// but libpq.
//
// An engine opens it by its URL, options.storage = ORLOP_TEXT("postgresql://orlop@db.example.com/platform"): the
// library is then found by its name, or was loaded with orlop_load_storage. A program that links the library may also
// set what a URL cannot:
//
//   orlop_postgresql_options in = ORLOP_POSTGRESQL_OPTIONS_INIT; in.connection =
//   ORLOP_TEXT("postgresql://orlop@db.example.com/platform?sslmode=verify-full"); orlop_store store; orlop_error *error
//   = orlop_postgresql_open(&store, &in); if (error == NULL) { options.store = &store; error = orlop_open(&engine,
//   &options); }
//
// One schema holds one platform. It is made if it does not exist and the role may make it; docs/guide/postgresql.md
// lists the privileges that are needed afterwards. Any number of processes may use one schema.
//
// Guarantees beyond those of storage.h:
//  - A transaction that PostgreSQL ends because of a deadlock or a serialization failure is run again if nothing else
//    was committed in between; else the error is ORLOP_ERROR_STORAGE_BUSY and nothing is kept.
//  - If the connection is lost during COMMIT, the store connects again and finds out whether the transaction was kept.
//    Only if that is not possible within the lock timeout, the message of ORLOP_ERROR_STORAGE_FAILED says that the
//    outcome is not known.
//  - Any other lost connection is ORLOP_ERROR_STORAGE_FAILED; the next transaction connects again.
//  - Poolers in transaction mode (pgbouncer) are recognized. No state of a session is used then: statements are not
//    prepared, and the lock of a writer always belongs to its transaction.
//
// A host that has a pool of connections gives two functions in place of the connection string:
//
//   in.acquire = acquire_from_pool; in.release = release_to_pool; in.pool = &pool;
//
// The store acquires a connection for each transaction and releases it at the end, as a client of a pooler in
// transaction mode would: no setting, prepared statement or lock is left on it. One more connection, for notifications
// and the lock that says that the process lives, is held from the first tick until the last engine is closed.
//  - acquire returns an established connection that is used by no other thread until it is released, is in no
//    transaction and not in pipeline mode, and whose client_encoding is UTF8; else the call fails with
//    ORLOP_ERROR_STORAGE_FAILED. It may wait for as long as timeout_ms says. NULL: there was none in that time
//    (ORLOP_ERROR_STORAGE_BUSY, nothing was changed). A connection that could not be established (CONNECTION_BAD) is an
//    error with its message, and is released.
//  - release takes it back. is_usable 0: it is lost, or in the middle of something, or has the state of the
//    notifications: close it with PQfinish. 1: it is as it was acquired.
//  - Both are called on any thread that is inside of a function of the engine, and on a thread of the store for the
//    notifications; several at once, and never after the store was released. They must not call the engine. They may
//    not throw.
//  - The connection lies with the store while it is acquired. It may have the settings that the host likes: role,
//    statement_timeout and synchronous_commit hold for what the store does. All connections must lead to one database,
//    and to a writable server. libpq must be the one that this library is linked with.
// Messages name the host and the database, never the password.
#ifndef ORLOP_POSTGRESQL_H
#define ORLOP_POSTGRESQL_H

#include "orlop/storage.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pg_conn;  // PGconn of libpq-fe.h

typedef struct orlop_postgresql_options {
  size_t size;  // sizeof(orlop_postgresql_options)
  // Of libpq: "postgresql://…" or "host=… dbname=…". A URI may also hold the parameter schema.
  orlop_text connection;
  orlop_text schema;         // 1 to 63 bytes; not given (NULL): "orlop"
  uint32_t connections_max;  // connections that may be open at once; 0: 32. begin() waits for one to become free
  int64_t lock_timeout_ms;   // how long begin() waits for a connection or another writer (STORAGE_BUSY); 0: 30,000
  // How long a writer may do nothing inside of its transaction before the server ends it (STORAGE_BUSY): as long a
  // process that stands still keeps the others waiting. 0: 5,000, or two thirds of lock_timeout_ms if that is less.
  int64_t writer_idle_timeout_ms;
  // In place of `connection`: both, or none. The connections of the host.
  struct pg_conn *(*acquire)(void *pool, int64_t timeout_ms);
  void (*release)(void *pool, struct pg_conn *connection, int32_t is_usable);
  void *pool;  // what both are called with
} orlop_postgresql_options;

#ifdef __cplusplus
#define ORLOP_POSTGRESQL_OPTIONS_INIT \
  (orlop_postgresql_options{          \
      sizeof(orlop_postgresql_options), {nullptr, 0}, {nullptr, 0}, 0, 0, 0, nullptr, nullptr, nullptr})
#else
#define ORLOP_POSTGRESQL_OPTIONS_INIT \
  { sizeof(orlop_postgresql_options), {NULL, 0}, {NULL, 0}, 0, 0, 0, NULL, NULL, NULL }
#endif

// Opens the store: connects, and makes or migrates the schema. `store` is then passed to orlop_open, which releases it
// with the engine; if orlop_open fails, call store->release(store->context). `make_error` is orlop_error_new of the
// library that the store will be given to. Errors: MISUSE (an option out of its bounds), INVALID (the connection string
// cannot be read), STORAGE_BUSY, STORAGE_FAILED (no connection, or a server or role that does not fit), STORAGE_NEWER
// (the schema has the layout of a newer version), STORAGE_FOREIGN (the schema belongs to another program),
// OUT_OF_MEMORY.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_postgresql_open_with(orlop_store *store,
                                                                const orlop_postgresql_options *options,
                                                                orlop_error_maker make_error);

// The same by a URL: what orlop_load_storage looks for.
ORLOP_API const orlop_storage_library *orlop_storage_entry(void);

static inline orlop_error *orlop_postgresql_open(orlop_store *store, const orlop_postgresql_options *options) {
  return orlop_postgresql_open_with(store, options, orlop_error_new);
}

#ifdef __cplusplus
}
#endif

#endif
