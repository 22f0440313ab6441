// The feed as structs: what orlop_events gives as JSON, for programs that would have to read it.
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

// Some events in their order.
typedef struct orlop_feed orlop_feed;

// One event. It and its texts live as long as the feed that it is of. An id that does not apply is nil: sixteen zeros. Later versions
// append members; `size` tells which there are.
typedef struct orlop_feed_event {
  size_t size;
  uint64_t number;        // its place in the feed, from 1, without gaps
  int64_t at_ms;
  orlop_event_kind kind;
  // Before and after, 0 where it does not apply. STATE_CHANGED: orlop_cluster_state if `family` is "cluster", else orlop_service_state;
  // REQUEST_ENDED: orlop_service_state, that of its environment's status; STEP_STARTED, STEP_ENDED: orlop_step_kind; RUNNING_CHANGED:
  // orlop_running_state; FRESHNESS_CHANGED: orlop_freshness.
  int32_t from;
  int32_t to;
  uint64_t revision;      // of the subject after the event; 0 where none changed
  orlop_id subject;       // the resource or deployment request
  orlop_id owner;         // the subject's parent
  orlop_id organization;
  orlop_id request;       // the deployment request that the event belongs to
  orlop_text kind_name;   // "service.deployed", "cluster.created" …, as orlop_events has it
  orlop_text family;      // of the subject: "container", "cluster", "deployment" …
  orlop_text from_name;   // `from` and `to` as orlop_events has them: "DEPLOYING"; empty where they are 0
  orlop_text to_name;
  orlop_text author;      // who caused it by a request; empty for what follows by itself
  orlop_text detail;      // JSON object; empty: none
} orlop_feed_event;

// The events numbered `since` + 1 and up, `limit` at most (1 to 10,000); none is no error. Numbers are those of orlop_events.
// Errors: MISUSE (the limit), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_feed_read(orlop_feed **feed, orlop_engine *engine, uint64_t since, uint32_t limit);
// 0 if this is no feed.
ORLOP_API size_t orlop_feed_size(const orlop_feed *feed);
// NULL from orlop_feed_size on.
ORLOP_API const orlop_feed_event *orlop_feed_at(const orlop_feed *feed, size_t index);
// Does nothing with NULL.
ORLOP_API void orlop_feed_free(orlop_feed *feed);

// What orlop_wait_for waits for; to be added.
typedef int32_t orlop_wake;
enum {
  ORLOP_WAKE_WORK = 1,   // a tick has something to do
  ORLOP_WAKE_EVENTS = 2  // the feed has an event numbered more than `since`
};

// As orlop_wait, for what `wake` says. `woken` (may be NULL): what of it there is; 0: time has passed, orlop_interrupt was called, the handle was
// closed. `since` counts with ORLOP_WAKE_EVENTS only. Events that this engine stores end the wait at once; those that another engine
// stores are seen when the call begins. A loop that runs an engine and reads its feed:
//   orlop_wait_for(engine, ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS, since, next, &woken);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_wait_for(orlop_engine *engine, orlop_wake wake, uint64_t since, int64_t timeout_ms, orlop_wake *woken);

#ifdef __cplusplus
}
#endif

#endif
