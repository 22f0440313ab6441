// A store in PostgreSQL 13 to 18. The library liborlop-postgresql uses only storage.h and libpq.
//
// An engine opens it by its URL, options.storage = ORLOP_TEXT("postgresql://orlop@db.example.com/platform"): the
// library is then found by its name, or was loaded with orlop_load_storage. A program that links the library may set
// further options:
//
//   orlop_postgresql_options in = ORLOP_POSTGRESQL_OPTIONS_INIT;
//   in.connection = ORLOP_TEXT("postgresql://orlop@db.example.com/platform?sslmode=verify-full");
//   orlop_store store;
//   orlop_error *error = orlop_postgresql_open(&store, &in);
//   if (error == NULL) {
//     options.store = &store;
//     error = orlop_open(&engine, &options);
//   }
//
// One schema holds one platform. The store creates it if it does not exist and the role may create it;
// docs/guide/postgresql.md lists the privileges that are needed afterwards. Any number of processes may use one schema.
//
// Guarantees beyond those of storage.h:
//  - A transaction that PostgreSQL aborts because of a deadlock or a serialization failure is run again if nothing else
//    was committed in between; else the error is ORLOP_ERROR_STORAGE_BUSY and nothing is kept.
//  - If the connection is lost during COMMIT, the store connects again and finds out whether the transaction was
//    committed. Only if that is not possible within the lock timeout, the message of ORLOP_ERROR_STORAGE_FAILED says
//    that the outcome is not known.
//  - Any other lost connection is ORLOP_ERROR_STORAGE_FAILED; the next transaction connects again.
//  - Poolers in transaction mode (pgbouncer) are detected. The store then uses no session state: it prepares no
//    statements, and a writer's lock always belongs to its transaction.
//
// A host with a connection pool sets two functions instead of the connection string:
//
//   in.acquire = acquire_from_pool;
//   in.release = release_to_pool;
//   in.pool = &pool;
//
// The store acquires a connection for each transaction and releases it at the end. It leaves no setting, prepared
// statement or lock on it, like a client of a pooler in transaction mode. It holds one more connection, for
// notifications and the lock that shows that the process lives, from the first tick until the last engine is closed.
//  - acquire returns an established connection that no other thread uses until it is released, that is in no
//    transaction and not in pipeline mode, and whose client_encoding is UTF8; else the call fails with
//    ORLOP_ERROR_STORAGE_FAILED. It may wait up to timeout_ms. It returns NULL if no connection was free in that time
//    (ORLOP_ERROR_STORAGE_BUSY, nothing was changed). A connection that could not be established (CONNECTION_BAD) is
//    released, and its message becomes that of the error.
//  - release takes the connection back. is_usable 1: it is in the state in which it was acquired. 0: close it with
//    PQfinish; it is lost, in the middle of a command, or has session state of the notifications.
//  - Both are called on any thread that is inside a function of the engine, and on a thread of the store for the
//    notifications; concurrently, and never after the store was released. They must not call the engine or throw.
//  - The host must not use a connection while it is acquired. The host's settings of a connection, such as role,
//    statement_timeout and synchronous_commit, apply to the store's statements. All connections must lead to one
//    database on a writable server. libpq must be the one that this library is linked with.
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
  // Connection string of libpq: "postgresql://…" or "host=… dbname=…". A URI may also have the parameter `schema`.
  orlop_text connection;
  orlop_text schema;         // 1 to 63 bytes; NULL: "orlop"
  uint32_t connections_max;  // maximum of open connections; 0: 32. begin() waits until one is free
  int64_t lock_timeout_ms;   // how long begin() waits for a connection or another writer (STORAGE_BUSY); 0: 30,000
  // Idle time in a writer's transaction after which the server ends it (STORAGE_BUSY), so that a stopped process blocks
  // the others for this time at most. 0: 5,000, or two thirds of lock_timeout_ms if that is less.
  int64_t writer_idle_timeout_ms;
  // Functions of the host's connection pool, instead of `connection`: both, or none.
  struct pg_conn *(*acquire)(void *pool, int64_t timeout_ms);
  void (*release)(void *pool, struct pg_conn *connection, int32_t is_usable);
  void *pool;  // argument of both functions
} orlop_postgresql_options;

#ifdef __cplusplus
#define ORLOP_POSTGRESQL_OPTIONS_INIT \
  (orlop_postgresql_options{          \
      sizeof(orlop_postgresql_options), {nullptr, 0}, {nullptr, 0}, 0, 0, 0, nullptr, nullptr, nullptr})
#else
#define ORLOP_POSTGRESQL_OPTIONS_INIT \
  { sizeof(orlop_postgresql_options), {NULL, 0}, {NULL, 0}, 0, 0, 0, NULL, NULL, NULL }
#endif

// Opens the store: connects, and creates or migrates the schema. Pass `store` to orlop_open; the engine then releases
// it. If orlop_open fails, call store->release(store->context). `make_error` is orlop_error_new of the library whose
// engine uses the store. Errors: MISUSE (an option out of its bounds), INVALID (the connection string cannot be read),
// STORAGE_BUSY, STORAGE_FAILED (no connection, or an unsuitable server or role), STORAGE_NEWER (the schema has the
// layout of a newer version), STORAGE_FOREIGN (the schema belongs to another program), OUT_OF_MEMORY.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_postgresql_open_with(orlop_store *store,
                                                                const orlop_postgresql_options *options,
                                                                orlop_error_maker make_error);

// Entry point of the library, by which orlop_load_storage finds the schemes and opens a store by its URL.
ORLOP_API const orlop_storage_library *orlop_storage_entry(void);

static inline orlop_error *orlop_postgresql_open(orlop_store *store, const orlop_postgresql_options *options) {
  return orlop_postgresql_open_with(store, options, orlop_error_new);
}

#ifdef __cplusplus
}
#endif

#endif
