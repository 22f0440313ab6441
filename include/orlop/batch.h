// Several requests in one transaction: all of them take effect, or none. For a host that stores its own data with the
// platform's, such as the customer of a project (metadata of the project), and for setups that must be complete or
// absent.
//
//   orlop_batch *batch = NULL;
//   orlop_error *error = orlop_batch_begin(&batch, engine);
//   if (error == NULL) error = orlop_batch_dispatch(&reply, batch, &create_project);
//   ...  the next requests may use the reply
//   if (error == NULL) error = orlop_batch_commit(batch);
//   orlop_batch_free(batch);  // without a commit nothing is stored
#ifndef ORLOP_BATCH_H
#define ORLOP_BATCH_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct orlop_batch orlop_batch;

// Begins a batch. Waits for earlier writers. While the batch is open every other writer of the store waits, also
// orlop_tick: end it soon, and do nothing slow meanwhile.
//
// Threads: a batch is begun, used and ended on one thread; on another one its functions return ORLOP_ERROR_MISUSE.
// Until the batch ends, this thread may call only orlop_report, orlop_interrupt and orlop_now on the engine; other
// calls return ORLOP_ERROR_MISUSE, so batches do not nest. A batch that is never ended blocks all writers; a store may
// end it earlier (PostgreSQL: after 5 seconds without a request), and its commit then returns STORAGE_BUSY. Errors:
// MISUSE, CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_batch_begin(orlop_batch **batch, orlop_engine *engine);

// Answers a request as orlop_dispatch does. The request sees the changes of the earlier requests of the batch.
// orlop_batch_commit stores its own changes.
//
// The caller is the host: a request with `untrusted` or an Authorization header gives MISUSE, and X-Acting-For names
// the author. Rate limits do not count it. Idempotency-Key and If-Match work as in single requests; an answer is kept
// for its key if the batch is committed. Requests that one commit cannot hold are answered with 409: those that take
// several commits (clones, and deletions and deployments of large environments), and those that external systems must
// answer or admit.
//
// A refused change (4xx) ends the batch: the reply gives the reason, and all later calls return CONFLICT. A refused GET
// does not end it. In a simulation the faults of the interface are not applied.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_batch_dispatch(orlop_reply **reply, orlop_batch *batch,
                                                          const orlop_request *request);

// Stores all changes in one commit, their events in the order of the requests, and ends the batch. After an error the
// batch has also ended, and nothing is stored. Errors: MISUSE (it had ended), CONFLICT (a change was refused; the
// message names the request), CLOSED (the engine was closed), STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_batch_commit(orlop_batch *batch);

// Ends the batch and frees it. Without an earlier commit nothing is stored. Does nothing with NULL.
ORLOP_API void orlop_batch_free(orlop_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
