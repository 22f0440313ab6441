// Events as structs: what orlop_events returns as JSON.
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

// One event. It and its texts are valid as long as its feed. An id that does not apply is nil: sixteen zeros. Later versions append members; `size` says
// which members exist.
typedef struct orlop_feed_event {
  size_t size;
  uint64_t number;        // from 1, without gaps
  int64_t at_ms;
  orlop_event_kind kind;
  // Values before and after, 0 where they do not apply. STATE_CHANGED: orlop_cluster_state if `family` is "cluster", else orlop_service_state;
  // REQUEST_ENDED: orlop_service_state, that of its environment's status; STEP_STARTED, STEP_ENDED: orlop_step_kind; RUNNING_CHANGED:
  // orlop_running_state; FRESHNESS_CHANGED: orlop_freshness.
  int32_t from;
  int32_t to;
  uint64_t revision;      // revision of the subject after the event; 0 if it did not change
  orlop_id subject;       // the resource or deployment request
  orlop_id owner;         // the subject's parent
  orlop_id organization;
  orlop_id request;       // the deployment request that the event belongs to
  orlop_text kind_name;   // "service.deployed", "cluster.created" …
  orlop_text family;      // family of the subject: "container", "cluster", "deployment" …
  orlop_text from_name;   // names of `from` and `to`, such as "DEPLOYING"; empty where they are 0
  orlop_text to_name;
  orlop_text author;      // author of the request that caused it; empty if no request did
  orlop_text detail;      // JSON object, or empty
} orlop_feed_event;

// The events numbered `since` + 1 and up, at most `limit` (1 to 10,000); the list may be empty. Errors: MISUSE (the limit), CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_feed_read(orlop_feed **feed, orlop_engine *engine, uint64_t since, uint32_t limit);
// The number of events; 0 if this is not a feed.
ORLOP_API size_t orlop_feed_size(const orlop_feed *feed);
// The event at `index`; NULL if there is none.
ORLOP_API const orlop_feed_event *orlop_feed_at(const orlop_feed *feed, size_t index);
// Does nothing with NULL.
ORLOP_API void orlop_feed_free(orlop_feed *feed);

// What orlop_wait_for waits for; values may be combined by |.
typedef int32_t orlop_wake;
enum {
  ORLOP_WAKE_WORK = 1,   // a tick has something to do
  ORLOP_WAKE_EVENTS = 2  // there is an event numbered more than `since`
};

// As orlop_wait, for the conditions in `wake`. `woken` (may be NULL): those that hold; 0: the time has passed, orlop_interrupt was called, or the handle was
// closed. `since` is used with ORLOP_WAKE_EVENTS only. Events of this engine end the wait at once; events that another engine stores are seen when the call
// begins. The loop of a host that also reads events:
//   orlop_wait_for(engine, ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS, since, next, &woken);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_wait_for(orlop_engine *engine, orlop_wake wake, uint64_t since, int64_t timeout_ms, orlop_wake *woken);

#ifdef __cplusplus
}
#endif

#endif
