// Orlop: a deployment platform as a library. This header and the headers that it names define the C API and its
// contract.
//
//   orlop_options options = ORLOP_OPTIONS_INIT;
//   options.storage = ORLOP_TEXT("sqlite:platform.db");
//   orlop_engine *engine = NULL;
//   orlop_error *error = orlop_open(&engine, &options);
//   orlop_request request = ORLOP_REQUEST_INIT;
//   request.method = ORLOP_TEXT("GET");
//   request.path = ORLOP_TEXT("/organization");
//   orlop_reply *reply = NULL;
//   if (error == NULL) error = orlop_dispatch(&reply, engine, &request);
//   ...
//   orlop_reply_free(reply);
//   orlop_close(engine);
//
// Overview. An engine stores organizations, projects, environments, clusters and services. orlop_dispatch answers
// requests in the form of HTTP (method, path, JSON) at once. A deployment takes time: orlop_tick advances it, passes
// its steps to the driver (driver.h), and returns the time until the next call. The driver reports with orlop_report.
// orlop_events returns all events in order.
//
// Errors. Every function that can fail returns an orlop_error: NULL is success; the caller frees anything else with
// orlop_error_free. A refused request (400, 404, 409 …) is a reply, not an error; an error means that the engine could
// not answer. A function that fails leaves its out parameters unchanged. No error is stored per thread, and no C++
// exception leaves the library.
//
// Ownership. Arguments are read before the function returns and stay with the caller. Objects returned through an
// orlop_… ** belong to the caller, who frees them with the function named after their type. Views (orlop_text) of an
// object are valid as long as the object.
//
// Handles. Engines, replies, buffers and errors are handles: numbers declared as pointers, never to be dereferenced. A
// handle that is NULL, closed, of another kind or of another library gives an error. Handles may be closed and freed in
// any order. An engine must not be used in a child process after fork(): calls there return ORLOP_ERROR_FOREIGN_HANDLE.
// A child may open its own stores; orlop_open returns ORLOP_ERROR_MISUSE there for an SQLite file that was open in the
// parent at the fork.
//
// Threads. Every function may be called from every thread, concurrently, on the same engine. A reply, a buffer or an
// error may be read by several threads and must be freed once, after the last read. The engine starts no thread. It
// calls driver, clock and random source only on a thread that has called it.
//
// Time. Instants are milliseconds since 1970-01-01T00:00:00Z, UTC; durations are milliseconds. Both are int64_t.
//
// Text. UTF-8 with start and size; no terminating zero is needed. Text that the library returns ends in a zero.
#ifndef ORLOP_ORLOP_H
#define ORLOP_ORLOP_H

#include <stddef.h>
#include <stdint.h>

#include "orlop/enums.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ORLOP_API __attribute__((visibility("default")))
#define ORLOP_CHECKED __attribute__((warn_unused_result))
#else
#define ORLOP_API
#define ORLOP_CHECKED
#endif

// ---- Basic types ----

typedef struct orlop_engine orlop_engine;
typedef struct orlop_reply orlop_reply;
typedef struct orlop_buffer orlop_buffer;
typedef struct orlop_error orlop_error;

// A view of text. {NULL, 0} is empty.
typedef struct orlop_text {
  const char *data;
  size_t size;  // bytes
} orlop_text;

// Makes a view of a string literal.
#ifdef __cplusplus
#define ORLOP_TEXT(literal) (orlop_text{"" literal, sizeof(literal) - 1})
#else
#define ORLOP_TEXT(literal) ((orlop_text){"" literal, sizeof(literal) - 1})
#endif

// Id of a resource, request or step: a UUID.
typedef struct orlop_id {
  uint8_t bytes[16];
} orlop_id;

// Version of this header. Compare it as a number: #if ORLOP_VERSION_NUMBER >= 2003 (0.2.3).
#define ORLOP_VERSION_MAJOR 0
#define ORLOP_VERSION_MINOR 1
#define ORLOP_VERSION_PATCH 0
#define ORLOP_VERSION_NUMBER (ORLOP_VERSION_MAJOR * 1000000 + ORLOP_VERSION_MINOR * 1000 + ORLOP_VERSION_PATCH)
#define ORLOP_QUOTE(text) #text
#define ORLOP_JOIN_VERSION(major, minor, patch) ORLOP_QUOTE(major) "." ORLOP_QUOTE(minor) "." ORLOP_QUOTE(patch)
#define ORLOP_VERSION ORLOP_JOIN_VERSION(ORLOP_VERSION_MAJOR, ORLOP_VERSION_MINOR, ORLOP_VERSION_PATCH)  // "0.1.0"

// Returns the version of the library at run time, "0.1.0". Static text.
ORLOP_API const char *orlop_version(void);

// Writes the 36 lower-case characters of `id` and a zero.
ORLOP_API void orlop_id_format(orlop_id id, char out[37]);
// Parses 36 characters in upper or lower case. ORLOP_ERROR_INVALID for any other text.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_id_parse(orlop_id *id, orlop_text text);

// Writes "2026-01-01T00:00:00.000Z" and a zero. Instants outside the years 0 to 9999 are clamped.
ORLOP_API void orlop_time_format(int64_t instant_ms, char out[25]);
// Parses RFC 3339 with any offset. ORLOP_ERROR_INVALID for any other text.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_time_parse(int64_t *instant_ms, orlop_text text);

// ---- Errors ----

// Returns the code (enums.h); ORLOP_ERROR_NONE for NULL.
ORLOP_API orlop_code orlop_error_code(const orlop_error *error);
// Returns the name of the code, such as "storage_busy"; "none" for NULL. Static text.
ORLOP_API const char *orlop_error_name(const orlop_error *error);
// Returns one sentence for users; valid as long as the error. "" for NULL.
ORLOP_API const char *orlop_error_message(const orlop_error *error);
// Does nothing with NULL.
ORLOP_API void orlop_error_free(orlop_error *error);
// Makes an error for a callback to return to the engine. `message` is copied. ORLOP_ERROR_NONE becomes
// ORLOP_ERROR_DRIVER_FAILED. Never returns NULL: if memory runs out, the result is ORLOP_ERROR_OUT_OF_MEMORY.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_error_new(orlop_code code, orlop_text message);

// ---- Opening and closing ----

// Options of an engine: options.h.
typedef struct orlop_options orlop_options;

// Opens an engine on its store. Deployments that were running continue at the next tick. `options` NULL: all defaults.
// Errors: MISUSE (an option out of its bounds), INVALID (unknown kind of store), STORAGE_BUSY, STORAGE_FAILED,
// STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_FOREIGN, STORAGE_SEALED (the secrets are encrypted and the key is missing or
// wrong). With a snapshot also INVALID (it cannot be read; the message names the line; the store stays empty) and
// CONFLICT (the store is not empty).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_open(orlop_engine **engine, const orlop_options *options);

// Makes a second handle of the same engine, for another owner. The handles are equal. The engine lives until its last
// handle is closed and the last call inside it has returned.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_share(orlop_engine **second, orlop_engine *engine);

// Closes one handle. Waits on it end; other calls inside the engine complete. Does nothing with NULL. Errors: CLOSED
// (closed before), FOREIGN_HANDLE, MISUSE (from inside a callback of this engine).
ORLOP_API orlop_error *orlop_close(orlop_engine *engine);

// ---- Requests and replies ----

typedef struct orlop_header {
  orlop_text name;  // in any case
  orlop_text value;
} orlop_header;

// A request in the form of HTTP. GET /openapi.json describes every operation.
typedef struct orlop_request {
  size_t size;                  // sizeof(orlop_request)
  orlop_text method;            // "GET", "POST", "PUT", "DELETE"
  orlop_text path;              // "/organization/…", percent-encoded, with or without "?query"; at most 8 KiB
  orlop_text query;             // "a=b&c=d", percent-encoded; added to the query of the path
  const orlop_header *headers;  // may be NULL
  size_t header_count;
  orlop_text body;  // JSON; at most 1 MiB
  // 0: the caller is the host and may do everything. The header X-Acting-For then names the author in the history; with
  // an Authorization header the caller is the owner of that token. Other than 0: the request comes from outside, for
  // example over a network, and is authenticated as options.authentication requires.
  int32_t untrusted;
  // Names for a POST that creates a resource with a required `name`: the request creates one resource for each name, in
  // their order, with the members of the body, which has no `name`. It creates all or none; a refusal names the first
  // refused name. The reply's body is a JSON array of the ids. Any other request with names is refused with 400. NULL,
  // 0: one resource.
  const orlop_text *names;
  size_t name_count;
} orlop_request;

#define ORLOP_REQUEST_INIT \
  { sizeof(orlop_request), {NULL, 0}, {NULL, 0}, {NULL, 0}, NULL, 0, {NULL, 0}, 0, NULL, 0 }

// Answers a request. Its changes are committed when this returns. Refusals are replies with a status of 400 or more.
// Errors: MISUSE (`request` was not initialized with its macro, or a text has a size and no start), CLOSED,
// FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_dispatch(orlop_reply **reply, orlop_engine *engine,
                                                    const orlop_request *request);

// Checks only the credentials of a request, so that a server can refuse it before it reads the body. *refusal is the
// reply with which orlop_dispatch would refuse them, to be freed by the caller, or NULL if they are valid or not
// required. Does not count against the rate limit.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_authenticate(orlop_reply **refusal, orlop_engine *engine,
                                                        const orlop_request *request);

// Returns the HTTP status; 0 if this is not a reply.
ORLOP_API int32_t orlop_reply_status(const orlop_reply *reply);
// Returns the body, JSON text; empty for 204, or if this is not a reply.
ORLOP_API orlop_text orlop_reply_body(const orlop_reply *reply);
ORLOP_API size_t orlop_reply_header_count(const orlop_reply *reply);
// Returns the header at `index`; both texts are empty if there is none.
ORLOP_API orlop_header orlop_reply_header(const orlop_reply *reply, size_t index);
// Returns the value of the first header of that name, in any case; {NULL, 0} if there is none.
ORLOP_API orlop_text orlop_reply_header_find(const orlop_reply *reply, orlop_text name);
// Returns the value at a JSON Pointer (RFC 6901) in the body: "/id", "/results/0/name"; "" is the whole body. A string
// is returned without quotes and escapes, any other value as JSON text ("16", "true", "null", "{…}"). {NULL, 0} if
// there is none, or this is not a reply. Valid as long as the reply. The first call parses the body, later ones do not.
ORLOP_API orlop_text orlop_reply_find(const orlop_reply *reply, const char *pointer);
// Does nothing with NULL.
ORLOP_API void orlop_reply_free(orlop_reply *reply);

// ---- Running ----

// Does all work that is due: takes reports, decides, commits, then starts and cancels steps at the driver.
// `next_wanted_ms` (may be NULL): milliseconds until the next call is needed; 0: at once; -1: not before a report or a
// request, both of which end an orlop_wait. Calling too early or too often is harmless.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_tick(orlop_engine *engine, int64_t *next_wanted_ms);

// Sleeps until a tick has something to do, `timeout_ms` of real time have passed (-1: no limit), orlop_interrupt was
// called, or the handle was closed. `ready` (may be NULL): 1 if a tick has something to do, else 0. The loop of a host:
//   while (running) { orlop_tick(engine, &next); orlop_wait(engine, next, NULL); }
// orlop_wait_for (feed.h) also waits for new events.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_wait(orlop_engine *engine, int64_t timeout_ms, int32_t *ready);

// Ends every running orlop_wait and orlop_wait_for on this engine; if none runs, the next one ends at once.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_interrupt(orlop_engine *engine);

// Ticks and sleeps until the deployment request with this id has ended, whether it succeeded or not, or `timeout_ms` of
// real time have passed (-1: no limit). `ended` (may be NULL): 1 if it has ended; 0 if the time has passed,
// orlop_interrupt was called, or the handle was closed. Other threads may tick meanwhile. Errors: those of orlop_tick;
// NOT_FOUND (there is no such request, or it is no longer kept), MISUSE (a simulation: orlop_run_until_ended moves its
// clock).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_wait_ended(orlop_engine *engine, orlop_id request, int64_t timeout_ms,
                                                      int32_t *ended);

// Several engines, in one process or in many, may be opened on one store (an SQLite file, or a store of the host with
// the functions from join() on in storage.h). The engines that tick divide the organizations among each other: one
// engine at a time handles each deployment, deadline and webhook message. An engine that has not ticked for
// options.lease_time_ms loses its share to the others; they start its steps again at their drivers, with `resumed`. A
// killed engine on the same machine is replaced at once. Any engine accepts any request and any report. Use the same
// driver, ports and secret_key in all engines; options.role sets what each of them does.
//
// Guarantees across crashes of processes. A request that was answered has taken effect once, in full, and survives the
// end of every process (with a store in PostgreSQL also the loss of the server, as far as its replication covers it).
// The requests about one resource take effect one after the other, each between its call and its answer. A call that
// fails with STORAGE_… has had no effect, unless the message says that the outcome is not known. A step never changes
// its id; it runs in one process at a time as long as that process lives and ticks, and is started again elsewhere,
// with the same id, when it does not. Events have numbers without gaps, in the order of commits, and describe exactly
// what was committed.

// Gives the engine's share to the other engines before it is closed, for example in a rolling restart. The engine
// starts no further step; it ticks until its running steps have ended, at most `timeout_ms` of real time (-1: no
// limit), and then leaves steps that still run to the others. This is final: from then on the engine only answers
// requests. `drained` (may be NULL): 1 if no running step was left, else 0. If no other engine can use the store, the
// call only waits for running steps.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_drain(orlop_engine *engine, int64_t timeout_ms, int32_t *drained);

// As orlop_drain, but steps that still run after `timeout_ms` stay with this engine, so that the host can check for
// signals, for example, between calls. Call it until `drained` is 1, or call orlop_drain with 0 to leave the steps to
// the others.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_begin_drain(orlop_engine *engine, int64_t timeout_ms, int32_t *drained);

// Sets `instant_ms` to the time of the engine's clock.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_now(orlop_engine *engine, int64_t *instant_ms);

// ---- Events and documents ----

// Returns the text of a buffer.
ORLOP_API orlop_text orlop_buffer_text(const orlop_buffer *buffer);
// Does nothing with NULL.
ORLOP_API void orlop_buffer_free(orlop_buffer *buffer);

// Lists the events numbered `since` + 1 and up, at most `limit` (1 to 10,000), as a JSON array; "[]" if there are none.
// Numbers start at 1 and have no gaps; pass the number of the last event as `since` of the next call. A `since` of 0
// starts at the first event that is kept. Errors: also EVENTS_FORGOTTEN, if events after another `since` were removed
// (feed.h).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_events(orlop_buffer **list, orlop_engine *engine, uint64_t since,
                                                  uint32_t limit);

// As orlop_events, for the events of one deployment request (`request`) or about one resource or request (`subject`);
// the other argument is NULL. If both are NULL, all events are listed. Uses an index of the store. An unknown id gives
// "[]". Errors: also MISUSE (both are set, or an id of sixteen zeros).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_events_of(orlop_buffer **list, orlop_engine *engine, const orlop_id *request,
                                                     const orlop_id *subject, uint64_t since, uint32_t limit);

// Sets `number` to that of the last event; 0 if there is none.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_last_event(orlop_engine *engine, uint64_t *number);

// Writes the contents of the store at this instant as text (JSON Lines) for options.snapshot. An engine that is opened
// with it, and with the same seed if there is one, continues as this one would; running steps are started again, as
// after a crash. Reports that no tick has taken yet are not included. Secrets are included only if they are encrypted
// (options.secret_key); the first line has the number of secrets that were left out.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_snapshot(orlop_buffer **snapshot, orlop_engine *engine);

// As orlop_snapshot, with all secrets, encrypted with a key of 32 bytes from a cryptographic random source. To open an
// engine with the snapshot, set options.secrets_key or options.secret_key to this key. Errors: also MISUSE (a key of
// another size).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_snapshot_with_secrets(orlop_buffer **snapshot, orlop_engine *engine,
                                                                 orlop_text secrets_key);

// A part of a snapshot to create in a store that is in use. {NULL, 0} omits an optional text; an empty text whose
// pointer is not NULL is refused.
typedef struct orlop_import_request {
  size_t size;          // sizeof(orlop_import_request)
  orlop_text snapshot;  // text from orlop_snapshot
  orlop_text family;    // family of the root: "organization", "project" or "environment"
  // The root: its id in the snapshot, or its path of names: "acme", "acme/shop", "acme/shop/production". Names are
  // compared without regard to case.
  orlop_text root;
  // Organization (for a project) or project (for an environment) of this store in which the root is created: its id or
  // its path of names. Left out: the one with the id of the root's parent in the snapshot, else the one with the same
  // names.
  orlop_text parent;
  orlop_text name;  // name of the root in this store; left out: its name in the snapshot
  // Key of 32 bytes with which the secrets of the snapshot are encrypted, or options.secret_key of the engine that made
  // the snapshot. Left out: the keys of this engine are tried.
  orlop_text secrets_key;
} orlop_import_request;

#define ORLOP_IMPORT_REQUEST_INIT                                                                    \
  {                                                                                                  \
    sizeof(orlop_import_request), {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, { NULL, 0 } \
  }

// Creates an organization, project or environment of a snapshot, with everything that is configured below it, in the
// engine's store, which other engines may use. The import is one commit: other writers wait until it ends, and after an
// error or a crash nothing of it is stored. The created services and clusters are READY, never deployed; history,
// running states, backups, runs, invoices and events are not imported, and the feed gets an event "created" for each
// resource.
//
// Ids that are free in this store are kept. Ids that are taken are replaced, with every reference to them: in members,
// aliases and overrides of variables, and inside of texts. The id of a service or cluster is also replaced if another
// one with the same first eight digits would have the same host name. A reference to a resource outside of the root is
// resolved in the organization of the parent: to the resource with the same id, else to the one with the same family
// and name. API tokens that this store already has are left out. Secrets that the snapshot does not contain are missing
// here: the log port gets their number, orlop_check lists them, and a step that needs one fails until it is set again.
//
// `summary` (may be NULL) gets a JSON object, which the caller frees: `id` and `family` of the root; `records`, the
// number of created records; `new_ids`, an object from each replaced id of the snapshot to its id here; `left_out`, the
// number of resources left out, by family; `missing_secrets`, the number of missing secrets.
//
// Errors: INVALID (the snapshot cannot be read or is faulty), NOT_FOUND (the root or the parent), CONFLICT (names are
// taken or references have no target here: the message names all of them; several resources match; a limit of the plan;
// the root is still being cloned in the snapshot), STORAGE_SEALED (the secrets are encrypted with another key), MISUSE
// (a member of the struct; a key for a snapshot without encrypted secrets), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_import(orlop_buffer **summary, orlop_engine *engine,
                                                  const orlop_import_request *request);

// Checks everything in the store: records, states, the feed, and the work and reports that engines leave for each
// other; of an SQLite file also each page and the consistency of the tables. Takes as long as reading the whole store
// several times; writers do not wait for it. ORLOP_ERROR_STORAGE_CORRUPT if something cannot be read, or a count or an
// index is wrong; the message names it.
//
// `faults` (may be NULL) gets the faults, at most 1000, as a JSON array of objects: `type` and `id` of the faulty item
// ("container" and its id, "event" and its number); `fault`, the end of a sentence that begins with type and id;
// `advice`, what to do; `is_repairable`. With `repair` other than 0 the repairable faults are repaired: for example, a
// service that is being deployed without a deployment request is set to an error state and can be deployed again. When
// an engine opens a store or takes over a partition, it repairs such services by itself, without reading the whole
// store.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_check(orlop_engine *engine, int32_t repair, orlop_buffer **faults);

// Copies a store in an SQLite file into `file`, through SQLite, with everything that is committed at one instant.
// `storage` is the value of options.storage. The store may be in use, by this process or others: neither readers nor
// writers wait. The copy is complete and durable before it gets its name, and needs no other file; the encryption of
// secrets does not change. Errors: INVALID (`storage` is not a store in an SQLite file), MISUSE (`file` is that of a
// store), STORAGE_FOREIGN, STORAGE_CORRUPT, STORAGE_FAILED.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_backup(orlop_text storage, orlop_text file);

// Replaces the store by such a copy. No process may have the store open. The replaced file is kept in the same folder:
// `before` (may be NULL) gets its path, which ends in ".before-restore"; "" if there was no file. After an error the
// store is unchanged. Errors: those of orlop_backup, STORAGE_BUSY (the store is in use), STORAGE_NEWER.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_restore(orlop_text storage, orlop_text file, orlop_buffer **before);

// Generates a document from the tables that the engine uses: "openapi", "options", "diagram/service", "diagram/cluster"
// …; "" gives the names of all documents, one on each line. ORLOP_ERROR_NOT_FOUND for any other name.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_describe(orlop_buffer **document, orlop_text name);

#ifdef __cplusplus
}
#endif

#include "orlop/options.h"
#include "orlop/port_structs.h"
#include "orlop/simulation.h"
#include "orlop/workloads.h"

#endif
