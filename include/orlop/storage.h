// The host's own store, for a control plane that has a database already: give it as options.store, in the place of options.storage. What
// it holds is the engine's whole memory, and what it promises is what the engine rests on.
//
// What a store keeps: records (one resource each, as JSON text), machines (the part of a resource that moves, under the same id), and one
// append-only feed of events. It interprets none of it: bytes are kept and compared.
//
// What a store promises.
//  - A transaction is open, committed or rolled back. end() on one that was not committed rolls it back.
//  - A write transaction sees what it applied; nobody else does before commit(). At most one write transaction is open at a time:
//    begin(ORLOP_ACCESS_WRITE) waits for the other. Read transactions see one consistent state, and block no writer.
//  - When commit() has returned NULL, the changes survive whatever the store is said to survive; when it has returned an error, nothing of
//    them is kept. There is nothing in between.
//  - Event numbers start at 1, have no gaps, and follow the order of commits. The store gives them.
//  - Revisions: a change names the revision it was made from. If the store holds another, apply() returns ORLOP_ERROR_LOST_UPDATE.
//  - A name key is held by one record at most. A second one gives ORLOP_ERROR_CONFLICT, after lost updates were looked for.
// docs/guide/storage.md says how to check a store against the same tests that those of the library pass.
//
// Ownership. What the engine gives lives until the function returns, and is to be copied; what a store gives to a visitor is copied before
// the visitor returns. A transaction is the store's own pointer, given back to it in each call and ended by end(), always and once.
//
// Errors. NULL is success; others are made by orlop_error_new and freed by the engine. Of their codes these are understood:
// LOST_UPDATE, CONFLICT, STORAGE_BUSY, STORAGE_FAILED, STORAGE_NEWER, STORAGE_CORRUPT, OUT_OF_MEMORY; any other counts as
// STORAGE_FAILED. After an error of apply() or commit() the engine calls nothing but end() on the transaction. A store that gives what
// breaks its promises (an order, a bound, a text without a start) is told so by ORLOP_ERROR_STORAGE_FAILED in what the engine answers.
//
// Threads. The functions may be called from any thread, for any number of transactions at a time, and each transaction by one thread at a
// time. They must not call the engine: orlop_error_new is allowed, calls on the engine give ORLOP_ERROR_MISUSE.
//
// Versions. Each struct begins with its size; later versions append members. A function that a store does not have is NULL: all but
// release() are asked for.
#ifndef ORLOP_STORAGE_H
#define ORLOP_STORAGE_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- What is kept ----------------------------------------------------------------------------------------------------------

// One resource. Ids of sixteen zeros are nil.
typedef struct orlop_record {
  size_t size;
  orlop_id id;
  orlop_id parent;        // nil for a root
  orlop_id organization;  // the organization it belongs to
  uint64_t revision;
  orlop_text body;        // JSON
  orlop_text secrets;     // JSON, or sealed if the host gave a key (options.secret_key); empty: none
  uint16_t family;
} orlop_record;

// A time that is not there.
#define ORLOP_NO_TIME INT64_MIN

// The time that an action spent in one phase.
typedef struct orlop_phase {
  uint8_t phase;
  uint8_t status;
  int64_t spent_ms;
} orlop_phase;

// The part of a resource that moves, under that resource's id. Numbers are the engine's.
typedef struct orlop_machine {
  size_t size;
  orlop_id id;
  orlop_id owner;
  orlop_id request;
  orlop_id stage;
  orlop_id step;
  uint64_t revision;  // of this row; counts its changes
  uint64_t configured;
  uint64_t deployed;
  int64_t step_started_at_ms;
  int64_t deadline_ms;
  int64_t changed_at_ms;
  int64_t last_deployment_at_ms;
  // What is known of the current or last action.
  orlop_text execution_id;
  orlop_text triggered_by;
  orlop_text reason;
  orlop_text outputs;         // JSON; empty: none
  orlop_text commit;          // JSON; empty: none
  const orlop_phase *phases;  // in their order
  size_t phase_count;
  int64_t started_at_ms;      // ORLOP_NO_TIME: not there; the same of the next three
  int64_t ended_at_ms;
  int64_t canceled_at_ms;
  int64_t reported_at_ms;
  uint64_t progress;
  uint32_t traits;
  uint32_t planned_traits;
  int32_t stage_order;
  int32_t number;
  uint16_t family;
  uint16_t attempt;
  uint8_t partition;          // 0 to 63: of the organization that it belongs to
  uint8_t configuration;
  uint8_t state;
  uint8_t origin_state;
  uint8_t action;
  uint8_t freshness;
  uint8_t running;
  uint8_t step_kind;
  uint8_t active;  // 1: on the list that is read at open
} orlop_machine;

typedef struct orlop_event {
  size_t size;
  uint64_t sequence;  // given by the store; ignored in changes
  int64_t at_ms;
  uint64_t revision;
  orlop_id subject;
  orlop_id owner;
  orlop_id organization;
  orlop_id request;
  orlop_text author;  // empty: nobody
  orlop_text detail;
  uint16_t family;
  uint8_t kind;
  uint8_t from;
  uint8_t to;
} orlop_event;

// ---- What changes ----------------------------------------------------------------------------------------------------------

typedef struct orlop_record_write {
  size_t size;
  const orlop_record *record;  // its revision is expected_revision + 1, unless the changes restore
  uint64_t expected_revision;  // that the store must hold; 0: there must be no such record
  // The key under which find() answers this record. Only if has_name_key is not 0, else it stays as it is; empty: none.
  orlop_text name_key;
  int32_t has_name_key;
  // The records this one refers to, maybe more than once. Only if has_references is not 0, else they stay as they are.
  int32_t has_references;
  const orlop_id *references;
  size_t reference_count;
} orlop_record_write;

// What one call of apply() changes, in this order: erasures, records, machines, events. All or nothing.
typedef struct orlop_changes {
  size_t size;
  const orlop_id *erasures;  // records that go, with their machines, keys and references; one that is not there is no error
  size_t erasure_count;
  const orlop_record_write *const *records;
  size_t record_count;
  // The revision of a machine is 1 for a new one, else the stored one + 1; if it is not, that is a lost update.
  const orlop_machine *const *machines;
  size_t machine_count;
  const orlop_event *const *events;
  size_t event_count;
  // Other than 0: records and machines are put back as they were, with any revision from 1, where there is none; one that is there
  // already is a lost update.
  int32_t is_restore;
} orlop_changes;

// ---- What is asked ---------------------------------------------------------------------------------------------------------

typedef int32_t orlop_access;
enum { ORLOP_ACCESS_READ = 0, ORLOP_ACCESS_WRITE = 1 };

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
  orlop_id after;     // only ids greater than this one
  uint64_t limit;     // this many at most
  orlop_range_by by;
  int32_t with_text;  // 0: body and secrets may be left empty
  uint16_t family;    // only this family; 0: any
  uint8_t has_partition;  // other than 0: only machines of `partition`; ORLOP_BY_ACTIVE alone asks for that
  uint8_t partition;
} orlop_range;

typedef struct orlop_event_range {
  size_t size;
  uint64_t after;         // only numbers greater than this one
  uint64_t before;        // only numbers less than this one
  uint64_t limit;
  orlop_id organization;  // other than nil: only those of this organization that have an author
  int32_t newest_first;   // other than 0: from the greatest number down
  // Other than nil: only those of this deployment request, or about this resource or request. At most one of the three ids is set.
  orlop_id request;
  orlop_id subject;
} orlop_event_range;

// Takes one of them; 0: no more is wanted, return NULL now. `visitor` is handed through. They must not be called after the function
// that they were given to has returned.
typedef int32_t (*orlop_record_visitor)(void *visitor, const orlop_record *record);
typedef int32_t (*orlop_machine_visitor)(void *visitor, const orlop_machine *machine);
typedef int32_t (*orlop_event_visitor)(void *visitor, const orlop_event *event);
typedef int32_t (*orlop_links_visitor)(void *visitor, orlop_text name_key, const orlop_id *references, size_t reference_count);

// ---- The store -------------------------------------------------------------------------------------------------------------

typedef struct orlop_store {
  size_t size;    // sizeof(orlop_store)
  void *context;  // given to begin() and release()
  orlop_error *(*begin)(void *context, orlop_access access, void **transaction);
  // Visit the one of this id, if it is there.
  orlop_error *(*record)(void *transaction, const orlop_id *id, orlop_record_visitor visit, void *visitor);
  orlop_error *(*machine)(void *transaction, const orlop_id *id, orlop_machine_visitor visit, void *visitor);
  // Sets `id` to the record that holds the key; nil if none does.
  orlop_error *(*find)(void *transaction, orlop_text name_key, orlop_id *id);
  // Visits once with the record's key and references, each reference once and in ascending order; not at all if there is no such record.
  orlop_error *(*links)(void *transaction, const orlop_id *id, orlop_links_visitor visit, void *visitor);
  orlop_error *(*records)(void *transaction, const orlop_range *range, orlop_record_visitor visit, void *visitor);
  orlop_error *(*machines)(void *transaction, const orlop_range *range, orlop_machine_visitor visit, void *visitor);
  orlop_error *(*events)(void *transaction, const orlop_event_range *range, orlop_event_visitor visit, void *visitor);
  orlop_error *(*apply)(void *transaction, const orlop_changes *changes);
  orlop_error *(*commit)(void *transaction);
  void (*end)(void *transaction);
  void (*release)(void *context);  // called once, when the engine is gone; not if orlop_open failed; may be NULL
} orlop_store;

#ifdef __cplusplus
}
#endif

#endif
