// The numbers of the interface: errors, states, steps, reports, events. They never change and are never reused; stores,
// bindings and drivers keep them. Generated from the tables of the core; do not edit.
#ifndef ORLOP_ENUMS_H
#define ORLOP_ENUMS_H

#include <stdint.h>

// What went wrong. 1 to 99: the request was refused, and a reply says why; 100 and up: the engine could not answer.
typedef int32_t orlop_code;
enum {
  ORLOP_ERROR_NONE = 0,  // nothing went wrong
  ORLOP_ERROR_INVALID = 1,  // a value in the request breaks a rule
  ORLOP_ERROR_UNAUTHENTICATED = 2,  // no credentials, or credentials that do not hold
  ORLOP_ERROR_FORBIDDEN = 3,  // the caller is known, and may not do this
  ORLOP_ERROR_NOT_FOUND = 4,  // there is no such resource, or the caller may not know of it
  ORLOP_ERROR_METHOD_NOT_ALLOWED = 5,  // the path is served, but not with this method
  ORLOP_ERROR_CONFLICT = 6,  // a name is taken, a resource is in use, or a state machine refuses
  ORLOP_ERROR_RATE_LIMITED = 7,  // the caller made too many requests in this window
  ORLOP_ERROR_TOO_LARGE = 8,  // the request is larger than the engine accepts
  ORLOP_ERROR_MISUSE = 100,  // the interface was called in a way its manual excludes
  ORLOP_ERROR_CLOSED = 101,  // the handle was closed before this call
  ORLOP_ERROR_FOREIGN_HANDLE = 102,  // the handle is not one of this library, or of this process
  ORLOP_ERROR_STORAGE_FAILED = 110,  // the store could not read or write
  ORLOP_ERROR_STORAGE_BUSY = 111,  // another process holds the store
  ORLOP_ERROR_STORAGE_NEWER = 112,  // the store was written by a newer version of the library
  ORLOP_ERROR_STORAGE_CORRUPT = 113,  // the store holds bytes that the library never wrote
  ORLOP_ERROR_LOST_UPDATE = 114,  // the record was changed by somebody else since it was read
  ORLOP_ERROR_STORAGE_SEALED = 115,  // the store's secrets are sealed with a key that was not given
  ORLOP_ERROR_DRIVER_FAILED = 120,  // the host's driver broke its contract
  ORLOP_ERROR_OUT_OF_MEMORY = 130,  // memory ran out
  ORLOP_ERROR_INTERNAL = 131  // a defect of the library
};

// The states of a service.
typedef int32_t orlop_service_state;
enum {
  ORLOP_SERVICE_READY = 1,
  ORLOP_SERVICE_QUEUED = 2,
  ORLOP_SERVICE_DEPLOYMENT_QUEUED = 3,
  ORLOP_SERVICE_WAITING_RUNNING = 4,
  ORLOP_SERVICE_BUILDING = 5,
  ORLOP_SERVICE_DEPLOYING = 6,
  ORLOP_SERVICE_EXECUTING = 7,
  ORLOP_SERVICE_RECAP = 8,
  ORLOP_SERVICE_DEPLOYED = 9,
  ORLOP_SERVICE_RESTART_QUEUED = 10,
  ORLOP_SERVICE_WAITING_RESTARTING = 11,
  ORLOP_SERVICE_RESTARTING = 12,
  ORLOP_SERVICE_RESTARTED = 13,
  ORLOP_SERVICE_STOP_QUEUED = 14,
  ORLOP_SERVICE_WAITING_STOPPING = 15,
  ORLOP_SERVICE_STOPPING = 16,
  ORLOP_SERVICE_STOPPED = 17,
  ORLOP_SERVICE_DELETE_QUEUED = 18,
  ORLOP_SERVICE_WAITING_DELETING = 19,
  ORLOP_SERVICE_DELETING = 20,
  ORLOP_SERVICE_DELETED = 21,
  ORLOP_SERVICE_CANCELING = 22,
  ORLOP_SERVICE_CANCELED = 23,
  ORLOP_SERVICE_UNAVAILABLE = 24,
  ORLOP_SERVICE_BUILD_ERROR = 25,
  ORLOP_SERVICE_DEPLOYMENT_ERROR = 26,
  ORLOP_SERVICE_RESTART_ERROR = 27,
  ORLOP_SERVICE_STOP_ERROR = 28,
  ORLOP_SERVICE_DELETE_ERROR = 29
};

// The states of a cluster.
typedef int32_t orlop_cluster_state;
enum {
  ORLOP_CLUSTER_READY = 1,
  ORLOP_CLUSTER_QUEUED = 2,
  ORLOP_CLUSTER_DEPLOYMENT_QUEUED = 3,
  ORLOP_CLUSTER_DRY_RUN = 4,
  ORLOP_CLUSTER_BUILDING = 5,
  ORLOP_CLUSTER_DEPLOYING = 6,
  ORLOP_CLUSTER_DEPLOYED = 7,
  ORLOP_CLUSTER_RESTART_QUEUED = 8,
  ORLOP_CLUSTER_RESTARTING = 9,
  ORLOP_CLUSTER_RESTARTED = 10,
  ORLOP_CLUSTER_STOP_QUEUED = 11,
  ORLOP_CLUSTER_STOPPING = 12,
  ORLOP_CLUSTER_STOPPED = 13,
  ORLOP_CLUSTER_DELETE_QUEUED = 14,
  ORLOP_CLUSTER_DELETING = 15,
  ORLOP_CLUSTER_DELETED = 16,
  ORLOP_CLUSTER_CANCELING = 17,
  ORLOP_CLUSTER_CANCELED = 18,
  ORLOP_CLUSTER_INVALID_CREDENTIALS = 19,
  ORLOP_CLUSTER_BUILD_ERROR = 20,
  ORLOP_CLUSTER_DEPLOYMENT_ERROR = 21,
  ORLOP_CLUSTER_RESTART_ERROR = 22,
  ORLOP_CLUSTER_STOP_ERROR = 23,
  ORLOP_CLUSTER_DELETE_ERROR = 24
};

// What a request asks of an environment, a service or a cluster.
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

// Whether what runs is what is configured.
typedef int32_t orlop_freshness;
enum {
  ORLOP_FRESHNESS_NEVER_DEPLOYED = 1,
  ORLOP_FRESHNESS_OUT_OF_DATE = 2,
  ORLOP_FRESHNESS_UP_TO_DATE = 3
};

// What the driver last said of a workload.
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

// What a driver is asked to do.
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
  ORLOP_STEP_CLUSTER_RESTART = 17
};

// What a driver answers.
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
  ORLOP_REPORT_RUNNING_STATE = 12
};

// How a step is canceled.
typedef int32_t orlop_cancel_mode;
enum {
  ORLOP_CANCEL_INTERRUPTIBLE = 1,
  ORLOP_CANCEL_FORCE = 2
};

// What the feed tells of.
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
