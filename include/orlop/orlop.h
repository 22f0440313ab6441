// Orlop: a deployment platform inside your program. This is the whole interface for C; read top to bottom it is the
// manual.
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
// How it works. An engine holds organizations, projects, environments, clusters and services in a store. Requests in
// the form of HTTP (method, path, JSON) read and change them at once: orlop_dispatch. A deployment takes time:
// orlop_tick moves it on, hands its steps to your driver (driver.h), and says when it wants to be called again. Your
// driver answers with orlop_report; whatever happened can be read in order with orlop_events.
//
// Errors. Every function that can fail returns an orlop_error: NULL is success, anything else is yours to free with
// orlop_error_free. A request that the platform refuses (400, 404, 409 …) is no error but a reply; an error means that
// the engine could not answer. When a function fails, its out parameters are left as they were. No error is kept per
// thread, and no C++ exception leaves the library.
//
// Ownership. What you pass in is read before the function returns, and stays yours. What you get through an orlop_… **
// is yours, and is freed by the function named after its type. Views (orlop_text) that an object gives live as long as
// the object.
//
// Handles. Engines, replies, buffers and errors are handles: numbers in the guise of pointers, never to be
// dereferenced. A handle that is NULL, closed, of another kind or of another library gives an error that says so, not a
// crash. They may be closed and freed in any order. An engine must not be used in a child process after fork(): calls
// there give ORLOP_ERROR_FOREIGN_HANDLE; open the store again instead.
//
// Threads. Any function may be called from any thread, at the same time with any other, on the same engine. A reply, a
// buffer or an error is to be read by any number of threads, and freed by one when the others are done. The engine
// starts no thread, and calls your driver, clock and random source only on a thread that has called it.
//
// Time. Instants are milliseconds since 1970-01-01T00:00:00Z, UTC; durations are milliseconds. Both are int64_t.
//
// Text. UTF-8, given by start and size, with no zero at the end asked for; what the library gives has one all the same.
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

// ---- Words for what follows ------------------------------------------------------------------------------------------------

typedef struct orlop_engine orlop_engine;
typedef struct orlop_reply orlop_reply;
typedef struct orlop_buffer orlop_buffer;
typedef struct orlop_error orlop_error;

// A view of text. {NULL, 0} is empty.
typedef struct orlop_text {
  const char *data;
  size_t size;  // bytes
} orlop_text;

// The text of a string literal.
#ifdef __cplusplus
#define ORLOP_TEXT(literal) (orlop_text{"" literal, sizeof(literal) - 1})
#else
#define ORLOP_TEXT(literal) ((orlop_text){"" literal, sizeof(literal) - 1})
#endif

// The identity of a resource, request or step: a UUID.
typedef struct orlop_id {
  uint8_t bytes[16];
} orlop_id;

// The version of this header. It is to be compared as a number: #if ORLOP_VERSION_NUMBER >= 2003 (0.2.3).
#define ORLOP_VERSION_MAJOR 0
#define ORLOP_VERSION_MINOR 1
#define ORLOP_VERSION_PATCH 0
#define ORLOP_VERSION_NUMBER (ORLOP_VERSION_MAJOR * 1000000 + ORLOP_VERSION_MINOR * 1000 + ORLOP_VERSION_PATCH)
#define ORLOP_QUOTE(text) #text
#define ORLOP_JOIN_VERSION(major, minor, patch) ORLOP_QUOTE(major) "." ORLOP_QUOTE(minor) "." ORLOP_QUOTE(patch)
#define ORLOP_VERSION ORLOP_JOIN_VERSION(ORLOP_VERSION_MAJOR, ORLOP_VERSION_MINOR, ORLOP_VERSION_PATCH)  // "0.1.0"

// The version of the library that the program runs with, "0.1.0"; static.
ORLOP_API const char *orlop_version(void);

// Writes the 36 characters of `id`, in lower case, and a zero.
ORLOP_API void orlop_id_format(orlop_id id, char out[37]);
// Reads 36 characters in either case. ORLOP_ERROR_INVALID for any other text.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_id_parse(orlop_id *id, orlop_text text);

// Writes "2026-01-01T00:00:00.000Z" and a zero. Instants outside the years 0 to 9999 are drawn to the nearest end.
ORLOP_API void orlop_time_format(int64_t instant_ms, char out[25]);
// Reads RFC 3339 with any offset. ORLOP_ERROR_INVALID for any other text.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_time_parse(int64_t *instant_ms, orlop_text text);

// ---- Errors ----------------------------------------------------------------------------------------------------------------

// The code (enums.h); ORLOP_ERROR_NONE for NULL.
ORLOP_API orlop_code orlop_error_code(const orlop_error *error);
// The code's name, "storage_busy"; static. "none" for NULL.
ORLOP_API const char *orlop_error_name(const orlop_error *error);
// One sentence for people; lives as long as the error. "" for NULL.
ORLOP_API const char *orlop_error_message(const orlop_error *error);
// Does nothing with NULL.
ORLOP_API void orlop_error_free(orlop_error *error);
// For drivers: an error of one's own, to be returned to the engine. `message` is copied. ORLOP_ERROR_NONE counts as
// ORLOP_ERROR_DRIVER_FAILED. Never NULL: if memory runs out, the answer is ORLOP_ERROR_OUT_OF_MEMORY.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_error_new(orlop_code code, orlop_text message);

// ---- Opening and closing ---------------------------------------------------------------------------------------------------

// A source of time. now() is called on the thread that called the engine, and must be safe on any; it must not call the
// engine (ORLOP_ERROR_MISUSE), and should not go back. INT64_MIN: it cannot tell, and the engine keeps the last instant.
typedef struct orlop_clock {
  size_t size;  // sizeof(orlop_clock)
  void *context;
  int64_t (*now)(void *context);   // instant in milliseconds
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
} orlop_clock;

// A random source: 64 bits for each call. Ids are made from it. Rules as for the clock.
typedef struct orlop_random_source {
  size_t size;  // sizeof(orlop_random_source)
  void *context;
  uint64_t (*draw)(void *context);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
} orlop_random_source;

// What a host chooses: options.h.
typedef struct orlop_options orlop_options;

// Opens an engine on its store; deployments that were running go on at the next tick. `options` NULL: all defaults.
// Errors: MISUSE (a member that is out of its bounds), INVALID (no store of that name), STORAGE_BUSY, STORAGE_FAILED,
// STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_SEALED (no key for a store that is sealed, or not its key). With a snapshot also INVALID (it cannot be
// read; the message names the line) and CONFLICT (the store is not empty); the store then holds nothing.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_open(orlop_engine **engine, const orlop_options *options);

// A second handle of the same engine, for an owner that ends by itself. Both are equal; the engine lives until the last
// of its handles is closed and the last call inside it has returned.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_share(orlop_engine **second, orlop_engine *engine);

// Closes one handle. Waits that were begun through it end; other calls that are inside finish their work. Does nothing
// with NULL. Errors: CLOSED (twice), FOREIGN_HANDLE, MISUSE (from inside a callback of this engine).
ORLOP_API orlop_error *orlop_close(orlop_engine *engine);

// ---- Requests and replies --------------------------------------------------------------------------------------------------

typedef struct orlop_header {
  orlop_text name;  // in any case
  orlop_text value;
} orlop_header;

// A request in the form of HTTP. GET /openapi.json describes all there are.
typedef struct orlop_request {
  size_t size;                  // sizeof(orlop_request)
  orlop_text method;            // "GET", "POST", "PUT", "DELETE"
  orlop_text path;              // "/organization/…", percent-encoded, with its "?query" or without; 8 KiB at most
  orlop_text query;             // "a=b&c=d", percent-encoded; added to the path's
  const orlop_header *headers;  // may be NULL
  size_t header_count;
  orlop_text body;              // JSON; 1 MiB at most
  // 0: the host itself asks, and may do everything; its header X-Acting-For, if there is one, is the author in the history, and with an
  // Authorization header it asks as that token. Other than 0: the request came from outside, over a network say, and is answered as
  // options.authentication demands.
  int32_t untrusted;
} orlop_request;

#define ORLOP_REQUEST_INIT \
  { sizeof(orlop_request), {NULL, 0}, {NULL, 0}, {NULL, 0}, NULL, 0, {NULL, 0}, 0 }

// Answers a request. What it changed is stored when this returns. Refusals are replies with a status of 400 or more.
// Errors: MISUSE (`request` was not initialized with its macro, a text has a size and no start), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_dispatch(orlop_reply **reply, orlop_engine *engine, const orlop_request *request);

// Looks at the credentials of a request and at nothing else of it, so that a server can ask before it reads the body: *refusal is the reply
// that orlop_dispatch would refuse them with, yours to free, or NULL if they hold or need not. Counts against no rate limit.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_authenticate(orlop_reply **refusal, orlop_engine *engine, const orlop_request *request);

// 200, 404 …; 0 if this is no reply.
ORLOP_API int32_t orlop_reply_status(const orlop_reply *reply);
// JSON text; empty for 204, or if this is no reply.
ORLOP_API orlop_text orlop_reply_body(const orlop_reply *reply);
ORLOP_API size_t orlop_reply_header_count(const orlop_reply *reply);
// The header at `index`; both texts empty if there is none.
ORLOP_API orlop_header orlop_reply_header(const orlop_reply *reply, size_t index);
// The value of the first header of that name, in any case; {NULL, 0} if there is none.
ORLOP_API orlop_text orlop_reply_header_find(const orlop_reply *reply, orlop_text name);
// What a JSON Pointer (RFC 6901) names in the body: "/id", "/results/0/name"; "" names the whole. The characters of a string; of anything else
// its JSON ("16", "true", "null", "{…}"). {NULL, 0} if it names nothing there, or this is no reply. Lives as long as the reply. Costs
// a pass over the body, and once more nothing.
ORLOP_API orlop_text orlop_reply_find(const orlop_reply *reply, const char *pointer);
// Does nothing with NULL.
ORLOP_API void orlop_reply_free(orlop_reply *reply);

// ---- Moving on -------------------------------------------------------------------------------------------------------------

// Moves on everything that can move now: takes reports, decides, stores, and then starts and cancels steps at the
// driver. `next_wanted_ms` (may be NULL): in how many milliseconds it wants to be called again; 0: at once; -1: not
// before a report or a request, which end an orlop_wait. Calling too early or too often costs little and does no harm.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_tick(orlop_engine *engine, int64_t *next_wanted_ms);

// Sleeps until a tick has something to do, `timeout_ms` of real time have passed (-1: no bound), orlop_interrupt was
// called or the handle was closed. `ready` (may be NULL): 1 if a tick has something to do, else 0. A loop that runs an
// engine:
//   while (running) { orlop_tick(engine, &next); orlop_wait(engine, next, NULL); }
// orlop_wait_for (feed.h) also waits for new events.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_wait(orlop_engine *engine, int64_t timeout_ms, int32_t *ready);

// Ends every orlop_wait and orlop_wait_for on this engine that is under way, or the next one if none is.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_interrupt(orlop_engine *engine);

// The engine's time.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_now(orlop_engine *engine, int64_t *instant_ms);

// ---- What happened ---------------------------------------------------------------------------------------------------------

// Text that the library made.
ORLOP_API orlop_text orlop_buffer_text(const orlop_buffer *buffer);
// Does nothing with NULL.
ORLOP_API void orlop_buffer_free(orlop_buffer *buffer);

// The events numbered `since` + 1 and up, `limit` at most (1 to 10,000), as a JSON list, "[]" when there are none.
// Numbers start at 1 and have no gaps; the number of the last event read is the next call's `since`.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_events(orlop_buffer **list, orlop_engine *engine, uint64_t since, uint32_t limit);

// As orlop_events, but only those of one deployment request, or about one resource or request; the other is NULL, both NULL give all. They are found
// by an index of the store, however many others there are. An unknown id gives "[]"; MISUSE: both are given, or sixteen zeros.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_events_of(orlop_buffer **list, orlop_engine *engine, const orlop_id *request, const orlop_id *subject,
                                                     uint64_t since, uint32_t limit);

// The number of the last event; 0: there is none.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_last_event(orlop_engine *engine, uint64_t *number);

// Everything that the store holds at this moment, as one text for options.snapshot: an engine that is opened with it, and the same seed if there
// is one, goes on as this one would; steps that run are asked for again, as after a crash. JSON Lines, for people too. Reports that no
// tick has taken yet are not in it. Secrets are in it only if they are sealed (options.secret_key); its first line says how many were left out.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_snapshot(orlop_buffer **snapshot, orlop_engine *engine);

// A document about the platform itself, derived from the same tables that it runs on: "openapi", "reference",
// "diagram/service", "diagram/cluster" …; "" answers the list of their names, one in a line. ORLOP_ERROR_NOT_FOUND for
// any other name.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_describe(orlop_buffer **document, orlop_text name);

#ifdef __cplusplus
}
#endif

#include "orlop/options.h"
#include "orlop/simulation.h"

#endif
