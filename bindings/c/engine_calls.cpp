// Opening, closing, ticking: the functions of orlop.h that take an engine.
#include <memory>
#include <optional>
#include <string>

#include "check/fault_list.h"
#include "guard.h"
#include "instance.h"
#include "options/options.h"
#include "orlop/feed.h"
#include "ports/callbacks.h"
#include "rest/feed/event_json.h"
#include "storage/libraries.h"
#include "store/sealing/cipher.h"
#include "tables.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace {

Error null_out(const char* what) {
  return misuse(std::string("the out parameter for the ") + what + " must not be NULL");
}

Result<std::optional<Duration>> timeout_of(std::int64_t timeout_ms) {
  if (timeout_ms < -1)
    return misuse("timeout_ms must be 0 or more, or -1 for no bound; not " + std::to_string(timeout_ms));
  return timeout_ms < 0 ? std::nullopt : std::optional(Duration{timeout_ms});
}

orlop_error* drain(orlop_engine* engine, std::int64_t timeout_ms, bool leaves_steps, std::int32_t* drained) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(timeout, timeout_of(timeout_ms));
    ORLOP_TRY(is_drained, host->drain(timeout, leaves_steps));
    if (drained != nullptr) *drained = is_drained ? 1 : 0;
    return {};
  });
}

// Checks a text of an import. {NULL, 0} is accepted unless the text is required; an empty text whose pointer is not
// NULL is refused.
Result<void> check_member(orlop_text text, const char* member, bool is_needed) {
  const std::string what = std::string("the import's ") + member;
  ORLOP_CHECK(check_text(text, what.c_str()));
  if (text.size == 0 && is_needed) return misuse(what + " is missing");
  if (text.size == 0 && text.data != nullptr) return misuse(what + " must not be empty: leave it out, or give one");
  return {};
}

Result<ImportRequest> import_of(const orlop_import_request& given) {
  ORLOP_CHECK(check_member(given.snapshot, "snapshot", true));
  ORLOP_CHECK(check_member(given.family, "family", true));
  ORLOP_CHECK(check_member(given.root, "root", true));
  ORLOP_CHECK(check_member(given.parent, "parent", false));
  ORLOP_CHECK(check_member(given.name, "name", false));
  ORLOP_CHECK(check_member(given.secrets_key, "secrets_key", false));
  const std::size_t key_size = given.secrets_key.size;
  if (key_size != 0 && key_size != Cipher::key_size)
    return misuse("secrets_key must have " + std::to_string(Cipher::key_size) + " bytes, not " +
                  std::to_string(key_size));
  return ImportRequest{view_of(given.family), view_of(given.root), view_of(given.parent), view_of(given.name)};
}

}  // namespace

Result<void> orlop::c::check_event_limit(std::uint32_t limit) {
  constexpr std::uint32_t limit_max = 10'000;
  if (limit == 0 || limit > limit_max)
    return misuse("limit must be 1 to " + std::to_string(limit_max) + ", not " + std::to_string(limit));
  return {};
}

extern "C" {

orlop_error* orlop_open(orlop_engine** engine, const orlop_options* options) {
  return guard([&]() -> Result<void> {
    if (engine == nullptr) return null_out("engine");
    ORLOP_TRY(parsed, read_options(options));
    std::unique_ptr<LibraryStore> library_store;
    if (!parsed.store) {
      ORLOP_TRY(opened, open_by_library(parsed.engine.storage));
      library_store = std::move(opened);
      if (library_store) parsed.store = library_store->functions();
    }
    ORLOP_TRY(host, Instance::open(std::move(parsed)));
    *engine = engines().add(host);
    host->own_callbacks();
    if (library_store) library_store->keep();
    return {};
  });
}

orlop_error* orlop_share(orlop_engine** second, orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    if (second == nullptr) return null_out("engine");
    ORLOP_TRY(found, host_of(engine));
    const auto host = found->shared_from_this();  // `found` may be borrowed from an EngineReference
    if (!host->add_handle()) return make_error(ErrorCode::closed, "the engine was closed before this call");
    try {
      *second = engines().add(host);
    } catch (...) {
      host->drop_handle();
      throw;
    }
    return {};
  });
}

orlop_error* orlop_close(orlop_engine* engine) {
  if (engine == nullptr) return nullptr;
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    if (EngineReferenceTable::has_tag(engine)) {
      return misuse(
          "this handle is the engine's own, which it gives to its driver and webhook sender; the one that orlop_open "
          "gave closes it");
    }
    // Another thread may have closed it meanwhile.
    if (auto taken = engines().take(engine); !taken) return std::move(taken).error();
    host->drop_handle();
    return {};
  });
}

orlop_error* orlop_tick(orlop_engine* engine, int64_t* next_wanted_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(wanted, host->tick());
    std::int64_t in = -1;
    if (wanted) {
      const Duration left = *wanted - host->engine().now();
      in = left.milliseconds > 0 ? left.milliseconds : 0;
    }
    if (next_wanted_ms != nullptr) *next_wanted_ms = in;
    return {};
  });
}

orlop_error* orlop_wait(orlop_engine* engine, int64_t timeout_ms, int32_t* ready) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(timeout, timeout_of(timeout_ms));
    const Wakeup::Found found = host->wakeup().wait(host->engine(), {}, timeout);
    if (ready != nullptr) *ready = found.work ? 1 : 0;
    return {};
  });
}

orlop_error* orlop_wait_for(orlop_engine* engine, orlop_wake wake, uint64_t since, int64_t timeout_ms,
                            orlop_wake* woken) {
  return guard([&]() -> Result<void> {
    constexpr orlop_wake all = ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS;
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(timeout, timeout_of(timeout_ms));
    if (wake == 0 || (wake & ~all) != 0)
      return misuse("wake must be a sum of ORLOP_WAKE_…, not " + std::to_string(wake));
    Wakeup::Request request{(wake & ORLOP_WAKE_WORK) != 0, std::nullopt};
    Wakeup::Found found{request.work && host->engine().is_ready(), false, false};
    if ((wake & ORLOP_WAKE_EVENTS) != 0) {
      // The engine does not count events that were stored before it was opened or by another engine: read the store.
      request.since = since;
      ORLOP_TRY(last, host->engine().last_event());
      found.events = last > since;
    }
    if (!found.any()) found = host->wakeup().wait(host->engine(), request, timeout);
    if (woken != nullptr) *woken = (found.work ? ORLOP_WAKE_WORK : 0) | (found.events ? ORLOP_WAKE_EVENTS : 0);
    return {};
  });
}

orlop_error* orlop_wait_ended(orlop_engine* engine, orlop_id request, int64_t timeout_ms, int32_t* ended) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(timeout, timeout_of(timeout_ms));
    if (host->simulator())
      return misuse(
          "orlop_wait_ended waits in real time, and this is a simulation: orlop_run_until_ended moves its clock");
    ORLOP_TRY(has_ended, host->wait_ended(id_of(request), timeout));
    if (ended != nullptr) *ended = has_ended ? 1 : 0;
    return {};
  });
}

orlop_error* orlop_event_fd(orlop_engine* engine, int32_t* descriptor) {
  return guard([&]() -> Result<void> {
    if (descriptor == nullptr) return null_out("descriptor");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(found, host->wakeup().event_descriptor());
    *descriptor = found;
    return {};
  });
}

orlop_error* orlop_drain(orlop_engine* engine, int64_t timeout_ms, int32_t* drained) {
  return drain(engine, timeout_ms, true, drained);
}

orlop_error* orlop_begin_drain(orlop_engine* engine, int64_t timeout_ms, int32_t* drained) {
  return drain(engine, timeout_ms, false, drained);
}

orlop_error* orlop_interrupt(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    host->wakeup().interrupt();
    return {};
  });
}

orlop_error* orlop_now(orlop_engine* engine, int64_t* instant_ms) {
  return guard([&]() -> Result<void> {
    if (instant_ms == nullptr) return null_out("instant");
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    *instant_ms = host->engine().now().milliseconds;
    return {};
  });
}

orlop_error* orlop_events(orlop_buffer** list, orlop_engine* engine, uint64_t since, uint32_t limit) {
  return orlop_events_of(list, engine, nullptr, nullptr, since, limit);
}

orlop_error* orlop_events_of(orlop_buffer** list, orlop_engine* engine, const orlop_id* request,
                             const orlop_id* subject, uint64_t since, uint32_t limit) {
  return guard([&]() -> Result<void> {
    if (list == nullptr) return null_out("events");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_event_limit(limit));
    if (request != nullptr && subject != nullptr)
      return misuse("events are read of a request or about a subject, not both");
    EventQuery query = {.since = since, .limit = limit};
    if (request != nullptr) query.request = id_of(*request);
    if (subject != nullptr) query.subject = id_of(*subject);
    if (request != nullptr && query.request.is_nil()) return misuse("request must be an id, not sixteen zeros");
    if (subject != nullptr && query.subject.is_nil()) return misuse("subject must be an id, not sixteen zeros");
    ORLOP_TRY(page, host->engine().read_events(query));
    *list = buffers().add(std::make_shared<std::string>(event_list(page.events)));
    return {};
  });
}

orlop_error* orlop_snapshot(orlop_buffer** snapshot, orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    if (snapshot == nullptr) return null_out("snapshot");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(text, host->snapshot());
    *snapshot = buffers().add(std::make_shared<std::string>(std::move(text)));
    return {};
  });
}

orlop_error* orlop_snapshot_with_secrets(orlop_buffer** snapshot, orlop_engine* engine, orlop_text secrets_key) {
  return guard([&]() -> Result<void> {
    if (snapshot == nullptr) return null_out("snapshot");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_text(secrets_key, "secrets_key"));
    const std::string_view key = view_of(secrets_key);
    if (key.size() != Cipher::key_size)
      return misuse("secrets_key must have " + std::to_string(Cipher::key_size) + " bytes, not " +
                    std::to_string(key.size()));
    ORLOP_TRY(text, host->snapshot(key));
    *snapshot = buffers().add(std::make_shared<std::string>(std::move(text)));
    return {};
  });
}

orlop_error* orlop_import(orlop_buffer** summary, orlop_engine* engine, const orlop_import_request* request) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(read, read_versioned(request, orlop_import_request ORLOP_IMPORT_REQUEST_INIT,
                                   sizeof(orlop_import_request), "the import"));
    ORLOP_TRY(given, import_of(read));
    ORLOP_TRY(imported, host->engine().import_from(view_of(read.snapshot), given, view_of(read.secrets_key)));
    if (summary != nullptr)
      *summary = buffers().add(std::make_shared<std::string>(summary_json(imported, given.family)));
    return {};
  });
}

orlop_error* orlop_check(orlop_engine* engine, int32_t repair, orlop_buffer** faults) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(found, host->engine().check(repair != 0));
    if (faults != nullptr) *faults = buffers().add(std::make_shared<std::string>(faults_json(found)));
    return {};
  });
}

orlop_error* orlop_last_event(orlop_engine* engine, uint64_t* number) {
  return guard([&]() -> Result<void> {
    if (number == nullptr) return null_out("number");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(last, host->engine().last_event());
    *number = last;
    return {};
  });
}

}  // extern "C"
