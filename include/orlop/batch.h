// Several requests in one transaction: all of them take effect, or none. For a host that keeps data of its own beside
// the platform's, such as which of its customers a project belongs to (metadata of the project), and for setups that
// must not be left half made.
//
//   orlop_batch *batch = NULL; orlop_error *error = orlop_batch_begin(&batch, engine); if (error == NULL) error =
//   orlop_batch_dispatch(&reply, batch, &create_project); ...                                        replies can be
//   used for the next requests if (error == NULL) error = orlop_batch_commit(batch); orlop_batch_free(batch);
//   without a commit before it nothing has happened
#ifndef ORLOP_BATCH_H
#define ORLOP_BATCH_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct orlop_batch orlop_batch;

// Begins a batch. Waits for the writers before it. While it is open every other writer of the store waits, also
// orlop_tick: end it soon, and do nothing slow meanwhile.
//
// Threads: a batch is begun, used and ended on one thread; on another one its functions give ORLOP_ERROR_MISUSE. Until
// it ends this thread cannot use the engine in another way (ORLOP_ERROR_MISUSE), but for orlop_report, orlop_interrupt
// and orlop_now; so batches do not nest. A batch that is never ended keeps all writers waiting for ever; a store may
// end it earlier (PostgreSQL: after 5 seconds without a request), and its commit then gives STORAGE_BUSY. Errors:
// MISUSE, CLOSED, FOREIGN_HANDLE, STORAGE_….
ORLOP_API ORLOP_CHECKED orlop_error *orlop_batch_begin(orlop_batch **batch, orlop_engine *engine);

// Answers a request as orlop_dispatch does. It sees what the requests before it have changed. What it changes is stored
// by orlop_batch_commit.
//
// The caller is the host: a request with `untrusted` or an Authorization header gives MISUSE, and X-Acting-For names an
// author. Rate limits do not count it. Idempotency-Key and If-Match work as in requests that stand alone; an answer is
// kept for its key if the batch is committed. Answered with 409 are requests that one commit cannot hold: what is done
// in several commits (clones, and deletions and deployments of large environments), and what external systems must
// answer or admit.
//
// A change that is refused (4xx) ends the batch: the reply says why, and all calls that follow give CONFLICT. A GET
// that is refused does not. In a simulation the faults of the interface are not applied.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_batch_dispatch(orlop_reply **reply, orlop_batch *batch,
                                                          const orlop_request *request);

// Stores all changes in one commit, their events in the order of the requests. The batch has then ended, also after an
// error: MISUSE (it had ended), CONFLICT (a change was refused; the message names the request), CLOSED (the engine was
// closed), STORAGE_…. After an error nothing is stored.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_batch_commit(orlop_batch *batch);

// Ends the batch and frees it. Without a commit before it nothing of it is stored. Does nothing with NULL.
ORLOP_API void orlop_batch_free(orlop_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
