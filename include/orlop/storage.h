// A store of the host, for a control plane that has a database: pass it as options.store instead of options.storage. It
// holds all data of the engine.
//
// Contents: records (one resource each, as JSON text), machines (the state of a resource, under the same id), and one
// append-only feed of events. A store does not interpret them: it stores and compares bytes.
//
// A store must guarantee the following.
//  - A transaction is open, committed or rolled back. end() rolls back a transaction that was not committed.
//  - A write transaction sees its own changes; others see them after commit() only. At most one write transaction is
//    open at a time: begin(ORLOP_ACCESS_WRITE) waits for the other; orlop_access defines optimistic transactions. Read
//    transactions see one consistent state and block no writer.
//  - When commit() has returned NULL, the changes are as durable as the store promises. When it has returned an error,
//    none of them is kept.
//  - Event numbers start at 1, have no gaps, and follow the order of commits. The store assigns them. Events are
//    removed from the front only, and never the last one: the kept events have no gaps either, and the numbers
//    continue.
//  - A change names the revision from which it was made. If the store holds another one, apply() returns
//    ORLOP_ERROR_LOST_UPDATE.
//  - A name key belongs to at most one record. A second one is ORLOP_ERROR_CONFLICT; lost updates are checked first.
//    The changes of one call name each record and each machine at most once.
//  - apply() may be called several times in a transaction before its commit: the engine commits concurrent requests
//    together.
//  - commit() knows its outcome. A store that loses its server during a commit finds out whether it took place before
//    it returns.
//
// A store is used by one engine, unless it has the functions from join() on: then any number of engines may share it,
// in one process or in many, and the store also keeps the data described under "Several engines" below.
// orlop-store-check runs the contract tests of the library on a store: examples/store.
//
// Ownership. Arguments from the engine are valid until the function returns and must be copied. The engine copies the
// arguments of a visitor before the visitor returns. A transaction is a pointer of the store, passed back in each call
// and ended by exactly one end().
//
// Errors. NULL is success; errors are made with orlop_error_new and freed by the engine. These codes are distinguished:
// LOST_UPDATE, CONFLICT, STORAGE_BUSY, STORAGE_FAILED, STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_FOREIGN, LEASE_LOST,
// OUT_OF_MEMORY; any other is treated as STORAGE_FAILED. After an error of apply() or commit() the engine calls only
// end() on the transaction. If a store violates a guarantee (order, bound, text without a start), the engine answers
// ORLOP_ERROR_STORAGE_FAILED.
//
// Handling of errors. After STORAGE_BUSY (a lock that was not granted in time, a lost connection, a timeout, a
// transaction that the database aborted in favor of another one) the store must have kept nothing, and the same
// transaction may succeed later: requests are answered 503 with Retry-After, a tick starts over. After LOST_UPDATE a
// tick reads again and starts over. After LEASE_LOST it drops the partition. After STORAGE_FAILED, STORAGE_CORRUPT or
// OUT_OF_MEMORY a request fails with 500, and the next tick tries again.
//
// Threads. The functions may be called from any thread and for several transactions at once; each transaction is used
// by one thread at a time. They must not call the engine: orlop_error_new is allowed, other calls return
// ORLOP_ERROR_MISUSE.
//
// Versions. Each struct begins with its size; later versions append members. All functions must be present except
// release(), counts(), join() with its group, and the functions after them.
#ifndef ORLOP_STORAGE_H
#define ORLOP_STORAGE_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Contents ----

// One resource. Ids of sixteen zeros are nil.
typedef struct orlop_record {
  size_t size;
  orlop_id id;
  orlop_id parent;  // nil for a root
  orlop_id organization;
  uint64_t revision;
  orlop_text body;     // JSON
  orlop_text secrets;  // JSON, or encrypted if the host set options.secret_key; empty: none
  uint16_t family;
} orlop_record;

// Value of an instant that is not set.
#define ORLOP_NO_TIME INT64_MIN

// The time that an action spent in one phase.
typedef struct orlop_phase {
  uint8_t phase;     // at most 15
  uint8_t status;    // at most 15
  int64_t spent_ms;  // at most INT64_MAX / 256, a million years
} orlop_phase;

// The state of a resource, under that resource's id. The engine defines the numbers.
typedef struct orlop_machine {
  size_t size;
  orlop_id id;
  orlop_id owner;
  orlop_id request;
  orlop_id stage;
  orlop_id step;
  uint64_t revision;  // of this row; incremented by each change
  uint64_t configured;
  uint64_t deployed;
  int64_t step_started_at_ms;  // ORLOP_NO_TIME: not set; also for deadline_ms and last_deployment_at_ms
  int64_t deadline_ms;
  int64_t changed_at_ms;
  int64_t last_deployment_at_ms;
  // The current or last action.
  orlop_text execution_id;
  orlop_text triggered_by;
  orlop_text reason;
  orlop_text outputs;         // JSON; empty: none
  orlop_text commit;          // JSON; empty: none
  const orlop_phase *phases;  // in their order
  size_t phase_count;
  int64_t started_at_ms;  // ORLOP_NO_TIME: not set; also for the next three
  int64_t ended_at_ms;
  int64_t canceled_at_ms;
  int64_t reported_at_ms;
  uint64_t progress;
  uint32_t plan_flags;
  uint32_t planned_flags;
  int32_t stage_order;
  int32_t number;
  uint16_t family;
  uint16_t attempt;
  uint8_t partition;  // partition of its organization, 0 to 63
  uint8_t configuration;
  uint8_t state;
  uint8_t origin_state;
  uint8_t action;
  uint8_t freshness;
  uint8_t running;
  uint8_t step_kind;
  uint8_t active;  // 1: ORLOP_BY_ACTIVE finds it; the engine reads these when it opens the store
} orlop_machine;

typedef struct orlop_event {
  size_t size;
  uint64_t sequence;  // assigned by the store; ignored in changes
  int64_t at_ms;
  uint64_t revision;
  orlop_id subject;
  orlop_id owner;
  orlop_id organization;
  orlop_id request;
  orlop_text author;  // empty: none
  orlop_text detail;
  uint16_t family;
  uint8_t kind;
  uint8_t from;
  uint8_t to;
  uint32_t id_count;  // defined by the engine; stored like the other members
} orlop_event;

// ---- Changes ----

typedef struct orlop_record_write {
  size_t size;
  const orlop_record *record;  // revision: expected_revision + 1, except in a restore
  uint64_t expected_revision;  // revision of the stored record; 0: the record must not exist
  // Key under which find() returns this record; empty: none. Used if has_name_key is not 0, else the key is unchanged.
  orlop_text name_key;
  int32_t has_name_key;
  // Records to which this one refers, possibly with duplicates. Used if has_references is not 0, else they are
  // unchanged.
  int32_t has_references;
  const orlop_id *references;
  size_t reference_count;
} orlop_record_write;

// ---- Several engines ----
//
// Engines that share a store divide its 64 partitions among each other. They store in it the list of engines, the
// holder of each partition, and the work and reports that one engine leaves for another. Snapshots do not contain this
// data.

// An engine that holds partitions, or may take them over.
typedef struct orlop_peer {
  size_t size;
  orlop_id engine;
  uint64_t counter;
  uint8_t rank;
} orlop_peer;

// The engine that holds a partition. Fences are also leases, of which only partition and epoch are used.
typedef struct orlop_lease {
  size_t size;
  orlop_id holder;  // nil: none
  uint64_t epoch;
  uint8_t partition;
} orlop_lease;

// A resource with new work, in a partition that another engine holds.
typedef struct orlop_wake_up {
  size_t size;
  orlop_id owner;
  uint8_t partition;
} orlop_wake_up;

// A driver's report that was made to an engine which does not hold the step's partition.
typedef struct orlop_inbox_report {
  size_t size;
  uint64_t number;  // assigned by the store: ascending in the order of commits, never twice; ignored in changes
  orlop_id step;
  int64_t at_ms;
  orlop_text text;
  uint8_t partition;
  uint8_t kind;
  uint8_t running;
} orlop_inbox_report;

// Changes of the data of several engines, applied in the order of the members, before the other changes of the call.
typedef struct orlop_coordination {
  size_t size;
  // If the store holds another epoch of the partition, or none, apply() returns ORLOP_ERROR_LEASE_LOST.
  const orlop_lease *const *fences;
  size_t fence_count;
  const orlop_id *departures;  // peers to remove; a missing one is not an error
  size_t departure_count;
  const orlop_peer *const *peers;  // to add, or to replace the one of the same engine
  size_t peer_count;
  const orlop_lease *const *leases;  // to add, or to replace the one of the same partition
  size_t lease_count;
  const orlop_wake_up *const *taken_wake_ups;  // to remove; a missing one is not an error
  size_t taken_wake_up_count;
  const orlop_wake_up *const *wake_ups;  // to add; an existing one stays
  size_t wake_up_count;
  const uint64_t *taken_reports;  // numbers of reports to remove; a missing one is not an error
  size_t taken_report_count;
  const orlop_inbox_report *const *reports;  // to add
  size_t report_count;
} orlop_coordination;

typedef int32_t (*orlop_peer_visitor)(void *visitor, const orlop_peer *peer);
typedef int32_t (*orlop_lease_visitor)(void *visitor, const orlop_lease *lease);
typedef int32_t (*orlop_wake_up_visitor)(void *visitor, const orlop_wake_up *wake_up);
typedef int32_t (*orlop_inbox_visitor)(void *visitor, const orlop_inbox_report *report);

// The changes of one call of apply(), made in this order: coordination, erasures, records, machines, events,
// forgotten_events. All of them are made, or none.
typedef struct orlop_changes {
  size_t size;
  // Records to erase, with their machines, keys and references; a missing one is not an error.
  const orlop_id *erasures;
  size_t erasure_count;
  const orlop_record_write *const *records;
  size_t record_count;
  // The revision of a machine is 1 for a new one, else the stored one + 1; anything else is a lost update.
  const orlop_machine *const *machines;
  size_t machine_count;
  const orlop_event *const *events;
  size_t event_count;
  // Other than 0: a restore. Records and machines are inserted with any revision from 1; one that exists is a lost
  // update. In a store without events the first one keeps its sequence (0: 1), and the numbers continue from it.
  int32_t is_restore;
  const orlop_coordination *coordination;  // NULL: none; always NULL in a store without join()
  uint64_t forgotten_events;               // number of events to remove, oldest first; the last one stays
} orlop_changes;

// ---- Queries ----

// Access of a transaction. The engine uses OPTIMISTIC only with a store that has validate(), for work that it can
// repeat. An optimistic transaction is a write transaction that need not wait for other writers and may read from the
// store's cache. If what it has read has changed since, apply(), apply_and_commit() or validate() returns LOST_UPDATE,
// and the engine repeats the work with WRITE. If they return NULL, everything read so far is true at one instant, and
// from its first apply() on the transaction is like one that began at that instant.
//
// One exception: the end of the feed that the transaction has read may be older than that instant. The store then
// raises `at_ms` of the transaction's events to that of the event before them, and their `id_count`, where it is not 0,
// to the greatest one before. It returns LOST_UPDATE if `at_ms` would have to change much, or if another transaction
// has created a record in the same organization as one of the transaction's new records since the end that was read:
// the id of that record might be the greater one. After apply() and apply_and_commit() the engine reads the newest
// event, which must be the transaction's own.
typedef int32_t orlop_access;
enum { ORLOP_ACCESS_READ = 0, ORLOP_ACCESS_WRITE = 1, ORLOP_ACCESS_OPTIMISTIC = 2 };

typedef int32_t orlop_range_by;
enum {
  ORLOP_BY_PARENT = 0,     // records below `key`; nil: the roots
  ORLOP_BY_REFERENCE = 1,  // records that refer to `key`
  ORLOP_BY_OWNER = 2,      // machines of `key`
  ORLOP_BY_ACTIVE = 3      // machines that are active; `key` is ignored
};

// Records or machines, in ascending order of id (their bytes, compared from the first).
typedef struct orlop_range {
  size_t size;
  orlop_id key;
  orlop_id after;  // only ids greater than this
  uint64_t limit;  // at most this many
  orlop_range_by by;
  int32_t with_text;      // 0: body and secrets may be empty
  uint16_t family;        // only this family; 0: any
  uint8_t has_partition;  // other than 0: only machines of `partition`; used with ORLOP_BY_ACTIVE only
  uint8_t partition;
} orlop_range;

// Records to count, for each of many keys.
typedef struct orlop_count_range {
  size_t size;
  const orlop_id *keys;  // without duplicates
  size_t key_count;
  orlop_range_by by;  // ORLOP_BY_PARENT: records below each key; ORLOP_BY_REFERENCE: records that refer to it
  uint16_t family;    // only this family; 0: any
} orlop_count_range;

typedef struct orlop_record_count {
  size_t size;
  orlop_id key;
  uint64_t count;  // from 1
  uint16_t family;
} orlop_record_count;

typedef struct orlop_event_range {
  size_t size;
  uint64_t after;   // only numbers greater than this
  uint64_t before;  // only numbers less than this
  uint64_t limit;
  orlop_id organization;  // other than nil: only events of this organization that have an author
  int32_t newest_first;   // other than 0: in descending order
  // Other than nil: only events of this deployment request (`request`), or about this resource or request (`subject`).
  // At most one of the three ids is set.
  orlop_id request;
  orlop_id subject;
} orlop_event_range;

// A fault that check() has found in the tables or files of a store. Its texts are valid until the visitor returns.
typedef struct orlop_store_fault {
  size_t size;
  orlop_text type;    // type of the faulty item: "record", "event", "lease"
  orlop_text id;      // its id, or the number of an event; empty: all items of the type
  orlop_text fault;   // the end of a sentence that begins with type and id: "lies below a resource that is gone"
  orlop_text advice;  // what to do, as a sentence
} orlop_store_fault;

// Visitors receive one item for each call. `visitor` is the argument of the query. A visitor returns 0 if it needs no
// more items: the query then ends and returns NULL. It must not be called after the query has returned.
typedef int32_t (*orlop_store_fault_visitor)(void *visitor, const orlop_store_fault *fault);
typedef int32_t (*orlop_record_visitor)(void *visitor, const orlop_record *record);
typedef int32_t (*orlop_machine_visitor)(void *visitor, const orlop_machine *machine);
typedef int32_t (*orlop_event_visitor)(void *visitor, const orlop_event *event);
typedef int32_t (*orlop_count_visitor)(void *visitor, const orlop_record_count *count);
typedef int32_t (*orlop_links_visitor)(void *visitor, orlop_text name_key, const orlop_id *references,
                                       size_t reference_count);

// ---- The store ----

typedef struct orlop_store {
  size_t size;    // sizeof(orlop_store)
  void *context;  // argument of begin(), release(), join()
  orlop_error *(*begin)(void *context, orlop_access access, void **transaction);
  // Visits the record or machine with this id, if it exists.
  orlop_error *(*record)(void *transaction, const orlop_id *id, orlop_record_visitor visit, void *visitor);
  orlop_error *(*machine)(void *transaction, const orlop_id *id, orlop_machine_visitor visit, void *visitor);
  // Sets `id` to the record with this key; nil if there is none.
  orlop_error *(*find)(void *transaction, orlop_text name_key, orlop_id *id);
  // Visits once with the record's key and its references, without duplicates and in ascending order; not at all if
  // there is no such record.
  orlop_error *(*links)(void *transaction, const orlop_id *id, orlop_links_visitor visit, void *visitor);
  orlop_error *(*records)(void *transaction, const orlop_range *range, orlop_record_visitor visit, void *visitor);
  orlop_error *(*machines)(void *transaction, const orlop_range *range, orlop_machine_visitor visit, void *visitor);
  orlop_error *(*events)(void *transaction, const orlop_event_range *range, orlop_event_visitor visit, void *visitor);
  orlop_error *(*apply)(void *transaction, const orlop_changes *changes);
  orlop_error *(*commit)(void *transaction);
  void (*end)(void *transaction);
  // Called once, when the engine no longer exists; not if orlop_open failed; may be NULL.
  void (*release)(void *context);
  // Visits each pair of key and family that has records, once, in any order. May be NULL: the engine then counts the
  // records that records() visits, for each key. A store that maintains these counts makes lists of registries,
  // projects and groups fast.
  orlop_error *(*counts)(void *transaction, const orlop_count_range *range, orlop_count_visitor visit, void *visitor);

  // For several engines: all functions of this group, or none.
  //
  // Adds an engine to those that share the store, and sets `membership`, which leave() ends. After another engine has
  // changed the coordination data, the store may call notify(argument) from any thread, but not after leave() was
  // called; notify() does not call the store. A store that does not notice such changes never calls it.
  orlop_error *(*join)(void *context, const orlop_id *engine, void (*notify)(void *argument), void *argument,
                       void **membership);
  // Sets `number` to a value that changes whenever an engine changes the coordination data; other changes may change it
  // too. It is called often, for example every 50 ms by an engine that waits.
  orlop_error *(*changes)(void *membership, uint64_t *number);
  // Returns other than 0 if the engine has ended, for example because its process was killed; 0 if it lives or its
  // state is not known.
  int32_t (*has_ended)(void *membership, const orlop_id *engine);
  void (*leave)(void *membership);
  // peers() visits all peers, in ascending order of the engine's id; leases() all leases of `partitions` (bit 0:
  // partition 0) that were ever held, in ascending order of the partition.
  orlop_error *(*peers)(void *transaction, orlop_peer_visitor visit, void *visitor);
  orlop_error *(*leases)(void *transaction, uint64_t partitions, orlop_lease_visitor visit, void *visitor);
  // Visit at most `limit` wake-ups or reports whose partition is in `partitions`: wake-ups in ascending order of
  // partition and owner, reports in ascending order of their number.
  orlop_error *(*wake_ups)(void *transaction, uint64_t partitions, uint64_t limit, orlop_wake_up_visitor visit,
                           void *visitor);
  orlop_error *(*reports)(void *transaction, uint64_t partitions, uint64_t limit, orlop_inbox_visitor visit,
                          void *visitor);

  // Batches, for a store in which each call is a round trip to a server: all functions of this group, or none. With
  // them the number of calls in a tick does not depend on the number of services in it; without them the engine reads
  // one row at a time.
  //
  // Visit the existing records, or machines, with these ids, in any order. The ids have no duplicates.
  orlop_error *(*records_by_ids)(void *transaction, const orlop_id *ids, size_t count, orlop_record_visitor visit,
                                 void *visitor);
  orlop_error *(*machines_by_ids)(void *transaction, const orlop_id *ids, size_t count, orlop_machine_visitor visit,
                                  void *visitor);
  // Visits the records below each of these parents, those of one parent in ascending order of id. The parents have no
  // duplicates.
  orlop_error *(*records_below)(void *transaction, const orlop_id *parents, size_t count, orlop_record_visitor visit,
                                void *visitor);

  // Does apply() and then commit(), in one round trip for a store on a server. Most commits use it. May be NULL.
  orlop_error *(*apply_and_commit)(void *transaction, const orlop_changes *changes);

  // Checks that everything an optimistic transaction has read is still true; LOST_UPDATE if it is not. The engine calls
  // it before a result without changes, such as a refusal. May be NULL: begin() is then never called with OPTIMISTIC.
  orlop_error *(*validate)(void *transaction);
  // As find(), for a key that most likely no record has, such as the name of a new record. An optimistic transaction
  // may assume, without a round trip to the server, that no record has it, and check this when it is validated. May be
  // NULL: the engine calls find().
  orlop_error *(*find_unlikely)(void *transaction, orlop_text name_key, orlop_id *id);
  // Visits faults in the tables or files of the store that the other functions do not show, such as rows that no range
  // finds; used by orlop_check. It may take as long as reading everything. May be NULL: only the results of the other
  // functions are checked.
  orlop_error *(*check)(void *transaction, orlop_store_fault_visitor visit, void *visitor);
} orlop_store;

// ---- Storage libraries ----

// orlop_error_new of the library that uses the store: several may be loaded in one process.
typedef orlop_error *(*orlop_error_maker)(orlop_code code, orlop_text message);

// A library that opens stores by URLs in options.storage.
typedef struct orlop_storage_library {
  size_t size;
  // Schemes of its URLs, the text before the first colon: lower-case letters. NULL ends the list.
  const char *const *schemes;
  // Opens the store of a URL. Errors: those of orlop_open, made with `make_error`; messages must not contain passwords.
  orlop_error *(*open)(orlop_store *store, orlop_text url, orlop_error_maker make_error);
} orlop_storage_library;

// The function that the library exports under the name orlop_storage_entry. It returns a static object.
typedef const orlop_storage_library *(*orlop_storage_entry_function)(void);

// Loads a storage library for all engines that this process opens afterwards; it stays loaded. `path` is the path of a
// shared library, or its name, which the system's loader then searches. Without this call the URLs postgresql:// and
// postgres:// load liborlop-postgresql from the folder of liborlop, else by its name. Errors: STORAGE_FAILED (it cannot
// be loaded; with the loader's message), MISUSE (it is not a storage library).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_load_storage(orlop_text path);

#ifdef __cplusplus
}
#endif

#endif
