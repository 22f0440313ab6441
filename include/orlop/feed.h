// Events as structs; orlop_events returns the same events as JSON.
//
//   orlop_feed *feed = NULL;
//   orlop_error *error = orlop_feed_read(&feed, engine, since, 1000);
//   for (size_t index = 0; index < orlop_feed_size(feed); ++index) {
//     const orlop_feed_event *event = orlop_feed_at(feed, index);
//     if (event->kind == ORLOP_EVENT_STATE_CHANGED && event->to == ORLOP_SERVICE_DEPLOYED) ...
//     since = event->number;
//   }
//   orlop_feed_free(feed);
#ifndef ORLOP_FEED_H
#define ORLOP_FEED_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// A list of events in order.
typedef struct orlop_feed orlop_feed;

// One event. The struct and its texts are valid as long as the feed. An id that does not apply is nil: sixteen zeros.
// Later versions append members; `size` says which members exist.
typedef struct orlop_feed_event {
  size_t size;
  uint64_t number;  // from 1, without gaps
  int64_t at_ms;
  orlop_event_kind kind;
  // Values before and after, 0 where they do not apply. STATE_CHANGED: orlop_cluster_state if `family` is "cluster",
  // else orlop_service_state; REQUEST_ENDED: orlop_service_state of the environment's status; STEP_STARTED, STEP_ENDED:
  // orlop_step_kind; RUNNING_CHANGED: orlop_running_state; FRESHNESS_CHANGED: orlop_freshness.
  int32_t from;
  int32_t to;
  uint64_t revision;  // revision of the subject after the event; 0 if it did not change
  orlop_id subject;   // resource or deployment request that the event is about
  orlop_id owner;     // the subject's parent
  orlop_id organization;
  orlop_id request;      // the deployment request that the event belongs to
  orlop_text kind_name;  // "service.deployed", "cluster.created" …
  orlop_text family;     // family of the subject: "container", "cluster", "deployment" …
  orlop_text from_name;  // names of `from` and `to`, such as "DEPLOYING"; empty where they are 0
  orlop_text to_name;
  orlop_text author;  // author of the request that caused it; empty if no request did
  orlop_text detail;  // JSON object, or empty
} orlop_feed_event;

// Reads the events numbered `since` + 1 and up, at most `limit` (1 to 10,000); the list may be empty. Errors: MISUSE
// (the limit), EVENTS_FORGOTTEN, CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_feed_read(orlop_feed **feed, orlop_engine *engine, uint64_t since,
                                                     uint32_t limit);

// A query for the events that match all members. An id of sixteen zeros matches any.
typedef struct orlop_event_query {
  size_t size;     // sizeof(orlop_event_query)
  uint64_t since;  // only greater numbers; 0: from the first event that is kept
  uint32_t limit;  // 1 to 10,000
  orlop_id organization;
  orlop_id request;  // only events of this deployment request; uses an index of the store
  orlop_id subject;  // only events about this resource or request; uses an index of the store
  // Kinds: "service.deployed", "step.started" …, or "step.*" for all that begin with "step."; at most 100. None: all.
  const orlop_text *kinds;
  size_t kind_count;
  // Maximum of real time to wait for a matching event; 0: do not wait; -1: no limit. Events of other processes are seen
  // after 50 ms or sooner. orlop_interrupt and closing the handle end the wait with an empty list.
  int64_t timeout_ms;
} orlop_event_query;

#define ORLOP_EVENT_QUERY_INIT \
  { sizeof(orlop_event_query), 0, 1000, {{0}}, {{0}}, {{0}}, NULL, 0, 0 }

// Reads the next matching events, in order; the list may be empty. A call that does not wait reads 10,000 events of the
// feed at most. Errors: MISUSE (a member out of its bounds), INVALID (a malformed kind), EVENTS_FORGOTTEN (events after
// `since` were removed; the message names the first that is kept), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_feed_select(orlop_feed **feed, orlop_engine *engine,
                                                       const orlop_event_query *query);
// Returns `since` of the next call with the same query: the number of the last event that was read, matching or not. 0
// if this is not a feed.
ORLOP_API uint64_t orlop_feed_next(const orlop_feed *feed);
// As orlop_feed_select, but returns a JSON array like orlop_events. `next` (may be NULL): as orlop_feed_next.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_events_select(orlop_buffer **list, uint64_t *next, orlop_engine *engine,
                                                         const orlop_event_query *query);

// ---- What the feed keeps ----
//
// Without options.events_kept and options.events_kept_for_ms the feed keeps every event. With them ticks remove the
// oldest events, but never the last one, and never one that a consumer has not acknowledged; later events keep their
// numbers. Audit logs and logs of deployments are made from events and reach back as far as the feed; resources, their
// states and the history of deployments do not depend on it.

// Registers a consumer under a name of 1 to 64 letters, digits, '.', '_' and '-': from now on events that it has not
// acknowledged are kept, including all that the feed has now. A registered consumer is not changed. `acknowledged` (may
// be NULL): the number of the last event that it has acknowledged, `since` of its next call. At most 100 consumers.
// Errors: INVALID (the name), CONFLICT (there are 100), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_consumer_register(orlop_engine *engine, orlop_text name,
                                                             uint64_t *acknowledged);
// Acknowledges the events up to `number`: the consumer does not need them any more. A lower number than before changes
// nothing. Each call is a commit: acknowledge many events at a time. Errors: NOT_FOUND, INVALID (there is no such event
// yet), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_consumer_acknowledge(orlop_engine *engine, orlop_text name, uint64_t number);
// Errors: NOT_FOUND, INVALID, CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_consumer_unregister(orlop_engine *engine, orlop_text name);
// Lists all consumers, as a JSON array of {"name", "acknowledged", "acknowledged_at"}.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_consumers(orlop_buffer **list, orlop_engine *engine);
// Removes the events numbered up to `through`, except the last one and those that a consumer has not acknowledged, in
// commits of 1,000 events. `first` (may be NULL): the number of the first event that is left. Errors: CLOSED,
// FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_events_forget(orlop_engine *engine, uint64_t through, uint64_t *first);

// ---- Reading a list ----

// Returns the number of events; 0 if this is not a feed.
ORLOP_API size_t orlop_feed_size(const orlop_feed *feed);
// Returns the event at `index`; NULL if there is none.
ORLOP_API const orlop_feed_event *orlop_feed_at(const orlop_feed *feed, size_t index);
// Does nothing with NULL.
ORLOP_API void orlop_feed_free(orlop_feed *feed);

// Conditions of orlop_wait_for; combine them with |.
typedef int32_t orlop_wake;
enum {
  ORLOP_WAKE_WORK = 1,   // a tick has something to do
  ORLOP_WAKE_EVENTS = 2  // there is an event with a number greater than `since`
};

// As orlop_wait, for the conditions in `wake`. `woken` (may be NULL): the conditions that are true; 0: the time has
// passed, orlop_interrupt was called, or the handle was closed. `since` is used with ORLOP_WAKE_EVENTS only. Events of
// this engine end the wait at once; events of another engine are seen when the call begins. The loop of a host that
// also reads events:
//   orlop_wait_for(engine, ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS, since, next, &woken);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_wait_for(orlop_engine *engine, orlop_wake wake, uint64_t since,
                                                    int64_t timeout_ms, orlop_wake *woken);

// Sets `descriptor` to a file descriptor for poll() and the like. It is readable once this engine has stored events
// since the descriptor was last read, or a tick or wait of this engine has seen events of another engine. Read it until
// it would block, then read the feed:
//   while (read(descriptor, bytes, sizeof bytes) > 0) continue;
// The first call makes the descriptor, later ones return the same. The engine owns it and closes it with its last
// handle: remove it from the poll before, and never close it. Errors: MISUSE (`descriptor` is NULL), CLOSED,
// FOREIGN_HANDLE, INTERNAL (the process has no descriptor left).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_event_fd(orlop_engine *engine, int32_t *descriptor);

#ifdef __cplusplus
}
#endif

#endif
