// The numbers of the interface: errors, states, steps, reports, events. They never change and are never reused; stores,
// bindings and drivers keep them. Generated from the tables of the core; do not edit.
#ifndef ORLOP_ENUMS_H
#define ORLOP_ENUMS_H

#include <stdint.h>

// Errors. 1 to 99: the request was refused, and the reply gives the reason. From 100: the engine could not process the call.
typedef int32_t orlop_code;
enum {
  ORLOP_ERROR_NONE = 0,  // no error
  ORLOP_ERROR_INVALID = 1,  // the request breaks at least one validation rule; the reply lists the violations
  ORLOP_ERROR_UNAUTHENTICATED = 2,  // the request has no credentials, or they are invalid or expired
  ORLOP_ERROR_FORBIDDEN = 3,  // the caller is authenticated, but its role does not permit the operation
  ORLOP_ERROR_NOT_FOUND = 4,  // the resource does not exist, or the caller is not permitted to see it
  ORLOP_ERROR_METHOD_NOT_ALLOWED = 5,  // the path exists, but not with this HTTP method
  ORLOP_ERROR_CONFLICT = 6,  // the name is taken, the resource is in use, or its state does not allow the operation
  ORLOP_ERROR_RATE_LIMITED = 7,  // the caller has used up its requests of the current window
  ORLOP_ERROR_TOO_LARGE = 8,  // the request body or path exceeds the size limit
  ORLOP_ERROR_UNANSWERED = 9,  // no external system answers the question that the operation asks, and the library has no catalog for it
  ORLOP_ERROR_EXTERNAL_FAILED = 10,  // an external system failed, or its answer does not match the question
  ORLOP_ERROR_EXTERNAL_TIMEOUT = 11,  // an external system did not answer in time
  ORLOP_ERROR_PRECONDITION_FAILED = 12,  // the resource has another ETag than the header `If-Match` names: it was changed meanwhile
  ORLOP_ERROR_KEY_REUSED = 13,  // another request has used the `Idempotency-Key`
  ORLOP_ERROR_EVENTS_FORGOTTEN = 14,  // events after the given number were removed from the feed; the message names the first one that is kept
  ORLOP_ERROR_MISUSE = 100,  // the caller violated the contract of the function
  ORLOP_ERROR_CLOSED = 101,  // the handle was closed before this call
  ORLOP_ERROR_FOREIGN_HANDLE = 102,  // the handle was not created by this library, or by another process
  ORLOP_ERROR_STORAGE_FAILED = 110,  // the store could not read or write
  ORLOP_ERROR_STORAGE_BUSY = 111,  // the store cannot be used at the moment: another writer holds it, or its server is not reached; nothing was changed
  ORLOP_ERROR_STORAGE_NEWER = 112,  // the store was written by a newer version of the library
  ORLOP_ERROR_STORAGE_CORRUPT = 113,  // the store contains data that the library did not write
  ORLOP_ERROR_LOST_UPDATE = 114,  // another request changed the record after it was read
  ORLOP_ERROR_STORAGE_SEALED = 115,  // the secrets of the store are encrypted with a key that was not given
  ORLOP_ERROR_LEASE_LOST = 116,  // another engine has taken over the work that the change belongs to
  ORLOP_ERROR_STORAGE_FOREIGN = 117,  // the file or database is not a store: another program has written it; it was left as it is
  ORLOP_ERROR_STEP_LOST = 118,  // another engine has taken over the step, and executes it; stop working on it and report nothing about it here
  ORLOP_ERROR_DRIVER_FAILED = 120,  // the driver of the host violated its contract
  ORLOP_ERROR_TRY_LATER = 121,  // the driver cannot take a step at the moment; it is offered again
  ORLOP_ERROR_OUT_OF_MEMORY = 130,  // the library could not allocate memory
  ORLOP_ERROR_INTERNAL = 131  // a defect in the library
};

// The states of a service.
typedef int32_t orlop_service_state;
enum {
  ORLOP_SERVICE_READY = 1,  // Configured, not deployed.
  ORLOP_SERVICE_QUEUED = 2,  // Waiting for an earlier request of its environment.
  ORLOP_SERVICE_DEPLOYMENT_QUEUED = 3,  // Included in a deployment request that has not started.
  ORLOP_SERVICE_WAITING_RUNNING = 4,  // Waiting for its turn in the stage to be deployed.
  ORLOP_SERVICE_BUILDING = 5,  // The driver builds the image.
  ORLOP_SERVICE_DEPLOYING = 6,  // The driver deploys the service.
  ORLOP_SERVICE_EXECUTING = 7,  // The driver runs the job.
  ORLOP_SERVICE_RECAP = 8,  // The driver collects the results of the deployment.
  ORLOP_SERVICE_DEPLOYED = 9,  // The last deployment succeeded.
  ORLOP_SERVICE_RESTART_QUEUED = 10,  // Included in a restart request that has not started.
  ORLOP_SERVICE_WAITING_RESTARTING = 11,  // Waiting for its turn in the stage to be restarted.
  ORLOP_SERVICE_RESTARTING = 12,  // The driver restarts the service.
  ORLOP_SERVICE_RESTARTED = 13,  // The last restart succeeded.
  ORLOP_SERVICE_STOP_QUEUED = 14,  // Included in a stop request that has not started.
  ORLOP_SERVICE_WAITING_STOPPING = 15,  // Waiting for its turn in the stage to be stopped.
  ORLOP_SERVICE_STOPPING = 16,  // The driver stops the service.
  ORLOP_SERVICE_STOPPED = 17,  // The last stop succeeded; no instance runs.
  ORLOP_SERVICE_DELETE_QUEUED = 18,  // Included in a delete request that has not started.
  ORLOP_SERVICE_WAITING_DELETING = 19,  // Waiting for its turn in the stage to be deleted.
  ORLOP_SERVICE_DELETING = 20,  // The driver deletes the resources of the service.
  ORLOP_SERVICE_DELETED = 21,  // The resources of the service are deleted.
  ORLOP_SERVICE_CANCELING = 22,  // A cancellation was requested while a step runs.
  ORLOP_SERVICE_CANCELED = 23,  // The last request was canceled.
  ORLOP_SERVICE_UNAVAILABLE = 24,  // The driver lost contact with the running step.
  ORLOP_SERVICE_BUILD_ERROR = 25,  // The build failed.
  ORLOP_SERVICE_DEPLOYMENT_ERROR = 26,  // The deployment failed.
  ORLOP_SERVICE_RESTART_ERROR = 27,  // The restart failed.
  ORLOP_SERVICE_STOP_ERROR = 28,  // The stop failed.
  ORLOP_SERVICE_DELETE_ERROR = 29  // The deletion failed.
};

// The states of a cluster.
typedef int32_t orlop_cluster_state;
enum {
  ORLOP_CLUSTER_READY = 1,  // Configured, not deployed.
  ORLOP_CLUSTER_QUEUED = 2,  // Waiting for an earlier request of the cluster.
  ORLOP_CLUSTER_DEPLOYMENT_QUEUED = 3,  // A deployment or upgrade was requested and has not started.
  ORLOP_CLUSTER_DRY_RUN = 4,  // The driver computes the changes that a deployment would make.
  ORLOP_CLUSTER_BUILDING = 5,  // The driver prepares the infrastructure of the cluster.
  ORLOP_CLUSTER_DEPLOYING = 6,  // The driver creates or updates the cluster.
  ORLOP_CLUSTER_DEPLOYED = 7,  // The last deployment or upgrade succeeded.
  ORLOP_CLUSTER_RESTART_QUEUED = 8,  // A restart was requested and has not started.
  ORLOP_CLUSTER_RESTARTING = 9,  // The driver restarts the cluster.
  ORLOP_CLUSTER_RESTARTED = 10,  // The last restart succeeded.
  ORLOP_CLUSTER_STOP_QUEUED = 11,  // A stop was requested and has not started.
  ORLOP_CLUSTER_STOPPING = 12,  // The driver stops the cluster.
  ORLOP_CLUSTER_STOPPED = 13,  // The last stop succeeded; no node runs.
  ORLOP_CLUSTER_DELETE_QUEUED = 14,  // A deletion was requested and has not started.
  ORLOP_CLUSTER_DELETING = 15,  // The driver deletes the cluster.
  ORLOP_CLUSTER_DELETED = 16,  // The cluster is deleted.
  ORLOP_CLUSTER_CANCELING = 17,  // A cancellation was requested while a step runs.
  ORLOP_CLUSTER_CANCELED = 18,  // The last request was canceled.
  ORLOP_CLUSTER_INVALID_CREDENTIALS = 19,  // The cloud provider rejected the credentials.
  ORLOP_CLUSTER_BUILD_ERROR = 20,  // The preparation of the infrastructure failed.
  ORLOP_CLUSTER_DEPLOYMENT_ERROR = 21,  // The deployment or upgrade failed.
  ORLOP_CLUSTER_RESTART_ERROR = 22,  // The restart failed.
  ORLOP_CLUSTER_STOP_ERROR = 23,  // The stop failed.
  ORLOP_CLUSTER_DELETE_ERROR = 24  // The deletion failed.
};

// The states of a task.
typedef int32_t orlop_task_state;
enum {
  ORLOP_TASK_QUEUED = 1,  // Requested; the driver has not begun.
  ORLOP_TASK_RUNNING = 2,  // The driver works on the task.
  ORLOP_TASK_SUCCEEDED = 3,  // The task has ended well.
  ORLOP_TASK_FAILED = 4,  // The task has failed, or its deadline passed.
  ORLOP_TASK_CANCELED = 5  // The driver has canceled the task.
};

// Actions that a request performs on an environment, a service or a cluster.
typedef int32_t orlop_action;
enum {
  ORLOP_ACTION_NONE = 0,
  ORLOP_ACTION_DEPLOY = 1,
  ORLOP_ACTION_RESTART = 2,
  ORLOP_ACTION_STOP = 3,
  ORLOP_ACTION_REMOVE = 4,
  ORLOP_ACTION_UNINSTALL = 5,
  ORLOP_ACTION_DRY_RUN = 6,
  ORLOP_ACTION_UPGRADE = 7
};

// Comparison of the configuration with what is deployed.
typedef int32_t orlop_freshness;
enum {
  ORLOP_FRESHNESS_NEVER_DEPLOYED = 1,
  ORLOP_FRESHNESS_OUT_OF_DATE = 2,
  ORLOP_FRESHNESS_UP_TO_DATE = 3
};

// Running state of a workload, as the driver reported it last.
typedef int32_t orlop_running_state;
enum {
  ORLOP_RUNNING_NONE = 0,
  ORLOP_RUNNING_STARTING = 1,
  ORLOP_RUNNING_RUNNING = 2,
  ORLOP_RUNNING_WARNING = 3,
  ORLOP_RUNNING_ERROR = 4,
  ORLOP_RUNNING_STOPPING = 5,
  ORLOP_RUNNING_STOPPED = 6,
  ORLOP_RUNNING_COMPLETED = 7,
  ORLOP_RUNNING_UNKNOWN = 8
};

// Kinds of steps that the engine starts in a driver.
typedef int32_t orlop_step_kind;
enum {
  ORLOP_STEP_NONE = 0,
  ORLOP_STEP_BUILD = 1,
  ORLOP_STEP_DEPLOY = 2,
  ORLOP_STEP_EXECUTE = 3,
  ORLOP_STEP_STOP = 4,
  ORLOP_STEP_RESTART = 5,
  ORLOP_STEP_REMOVE = 6,
  ORLOP_STEP_CLUSTER_CREATE = 11,
  ORLOP_STEP_CLUSTER_UPDATE = 12,
  ORLOP_STEP_CLUSTER_UPGRADE = 13,
  ORLOP_STEP_CLUSTER_DRY_RUN = 14,
  ORLOP_STEP_CLUSTER_STOP = 15,
  ORLOP_STEP_CLUSTER_REMOVE = 16,
  ORLOP_STEP_CLUSTER_RESTART = 17,
  ORLOP_STEP_TASK = 21
};

// Kinds of reports from a driver.
typedef int32_t orlop_report_kind;
enum {
  ORLOP_REPORT_BUILD_STARTED = 1,
  ORLOP_REPORT_BUILT = 2,
  ORLOP_REPORT_STARTED = 3,
  ORLOP_REPORT_EXECUTING = 4,
  ORLOP_REPORT_PROGRESS = 5,
  ORLOP_REPORT_LOG_LINE = 6,
  ORLOP_REPORT_SUCCEEDED = 7,
  ORLOP_REPORT_FAILED = 8,
  ORLOP_REPORT_CREDENTIALS_REFUSED = 9,
  ORLOP_REPORT_CONTACT_LOST = 10,
  ORLOP_REPORT_CANCELED = 11,
  ORLOP_REPORT_RUNNING_STATE = 12,
  ORLOP_REPORT_RECAP_STARTED = 13,
  ORLOP_REPORT_UNCHANGED = 14
};

// Modes of canceling a step.
typedef int32_t orlop_cancel_mode;
enum {
  ORLOP_CANCEL_INTERRUPTIBLE = 1,
  ORLOP_CANCEL_FORCE = 2,
  ORLOP_CANCEL_LOST = 3
};

// Kinds of events of the feed.
typedef int32_t orlop_event_kind;
enum {
  ORLOP_EVENT_CREATED = 1,
  ORLOP_EVENT_EDITED = 2,
  ORLOP_EVENT_DELETED = 3,
  ORLOP_EVENT_STATE_CHANGED = 4,
  ORLOP_EVENT_REQUEST_QUEUED = 5,
  ORLOP_EVENT_REQUEST_STARTED = 6,
  ORLOP_EVENT_REQUEST_ENDED = 7,
  ORLOP_EVENT_STEP_STARTED = 8,
  ORLOP_EVENT_STEP_ENDED = 9,
  ORLOP_EVENT_PROGRESS = 10,
  ORLOP_EVENT_LOG_LINE = 11,
  ORLOP_EVENT_RUNNING_CHANGED = 12,
  ORLOP_EVENT_FRESHNESS_CHANGED = 13
};

#endif
