// Implements the functions of storage.h. No exception leaves them.
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "orlop/postgresql.h"
#include "rows/check.h"
#include "rows/coordination.h"
#include "rows/layout.h"
#include "rows/reads.h"
#include "server/listener.h"
#include "server/pool.h"
#include "server/probe.h"
#include "server/settings.h"
#include "server/status.h"
#include "transaction.h"

namespace orlop::postgresql {
namespace {

struct Store {
  explicit Store(Settings settings, orlop_error_maker maker)
      : pool(std::move(settings)), listener(pool.settings()), make_error(maker) {}
  Pool pool;
  Listener listener;
  orlop_error_maker make_error;
};

struct Opened {
  explicit Opened(Store& opened_in, orlop_access access) : store(opened_in), transaction(opened_in.pool, access) {}
  Store& store;
  Transaction transaction;
};

// Returns the status of `act` as an error of the engine that the store belongs to.
template <typename Act>
orlop_error* answer(orlop_error_maker make_error, const Act& act) {
  try {
    const Status status = act();
    return status.ok() ? nullptr : make_error(status.code, text_of(status.message));
  } catch (const std::bad_alloc&) {
    return make_error(ORLOP_ERROR_OUT_OF_MEMORY, ORLOP_TEXT("no memory in the store for PostgreSQL"));
  } catch (const std::exception& exception) {
    return make_error(ORLOP_ERROR_STORAGE_FAILED, text_of(exception.what()));
  }
}

template <typename Act>
orlop_error* answer(void* transaction, const Act& act) {
  auto& opened = *static_cast<Opened*>(transaction);
  return answer(opened.store.make_error, [&] { return act(opened.transaction); });
}

orlop_error* begin(void* context, orlop_access access, void** transaction) {
  auto& store = *static_cast<Store*>(context);
  return answer(store.make_error, [&]() -> Status {
    auto opened = std::make_unique<Opened>(store, access);
    ORLOP_PG_CHECK(opened->transaction.begin());
    *transaction = opened.release();
    return {};
  });
}

orlop_error* record(void* transaction, const orlop_id* id, orlop_record_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_record(opened, *id, visit, visitor); });
}

orlop_error* machine(void* transaction, const orlop_id* id, orlop_machine_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_machine(opened, *id, visit, visitor); });
}

orlop_error* find(void* transaction, orlop_text name_key, orlop_id* id) {
  return answer(transaction, [&](Transaction& opened) { return find_name(opened, name_key, *id); });
}

orlop_error* find_unlikely(void* transaction, orlop_text name_key, orlop_id* id) {
  return answer(transaction, [&](Transaction& opened) { return find_unlikely_name(opened, name_key, *id); });
}

orlop_error* links(void* transaction, const orlop_id* id, orlop_links_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_links(opened, *id, visit, visitor); });
}

orlop_error* records(void* transaction, const orlop_range* range, orlop_record_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_records(opened, *range, visit, visitor); });
}

orlop_error* machines(void* transaction, const orlop_range* range, orlop_machine_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_machines(opened, *range, visit, visitor); });
}

orlop_error* events(void* transaction, const orlop_event_range* range, orlop_event_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_events(opened, *range, visit, visitor); });
}

orlop_error* counts(void* transaction, const orlop_count_range* range, orlop_count_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_counts(opened, *range, visit, visitor); });
}

orlop_error* apply(void* transaction, const orlop_changes* changes) {
  return answer(transaction, [&](Transaction& opened) { return opened.apply(*changes); });
}

orlop_error* apply_and_commit(void* transaction, const orlop_changes* changes) {
  return answer(transaction, [&](Transaction& opened) -> Status {
    ORLOP_PG_CHECK(opened.apply(*changes, true));
    return opened.commit();
  });
}

orlop_error* commit(void* transaction) {
  return answer(transaction, [](Transaction& opened) { return opened.commit(); });
}

orlop_error* validate(void* transaction) {
  return answer(transaction, [](Transaction& opened) { return opened.validate(); });
}

orlop_error* check(void* transaction, orlop_store_fault_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return check_tables(opened, visit, visitor); });
}

orlop_error* join(void* context, const orlop_id* engine, void (*notify)(void* argument), void* argument,
                  void** membership) {
  auto& store = *static_cast<Store*>(context);
  return answer(store.make_error, [&]() -> Status {
    *membership = new Membership(store.listener, {*engine, notify, argument});
    return {};
  });
}

orlop_error* changes(void* membership, uint64_t* number) {
  *number = static_cast<const Membership*>(membership)->changes();
  return nullptr;
}

int32_t has_ended(void* membership, const orlop_id* engine) {
  return static_cast<const Membership*>(membership)->has_ended(*engine) ? 1 : 0;
}
void leave(void* membership) { delete static_cast<Membership*>(membership); }

orlop_error* peers(void* transaction, orlop_peer_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_peers(opened, visit, visitor); });
}

orlop_error* leases(void* transaction, uint64_t partitions, orlop_lease_visitor visit, void* visitor) {
  return answer(transaction, [&](Transaction& opened) { return read_leases(opened, partitions, visit, visitor); });
}

orlop_error* wake_ups(void* transaction, uint64_t partitions, uint64_t limit, orlop_wake_up_visitor visit,
                      void* visitor) {
  return answer(transaction,
                [&](Transaction& opened) { return read_wake_ups(opened, partitions, limit, visit, visitor); });
}

orlop_error* reports(void* transaction, uint64_t partitions, uint64_t limit, orlop_inbox_visitor visit, void* visitor) {
  return answer(transaction,
                [&](Transaction& opened) { return read_reports(opened, partitions, limit, visit, visitor); });
}

orlop_error* records_by_ids(void* transaction, const orlop_id* ids, size_t count, orlop_record_visitor visit,
                            void* visitor) {
  return answer(transaction,
                [&](Transaction& opened) { return read_records_by_ids(opened, ids, count, visit, visitor); });
}

orlop_error* machines_by_ids(void* transaction, const orlop_id* ids, size_t count, orlop_machine_visitor visit,
                             void* visitor) {
  return answer(transaction,
                [&](Transaction& opened) { return read_machines_by_ids(opened, ids, count, visit, visitor); });
}

orlop_error* records_below(void* transaction, const orlop_id* parents, size_t count, orlop_record_visitor visit,
                           void* visitor) {
  return answer(transaction,
                [&](Transaction& opened) { return read_records_below(opened, parents, count, visit, visitor); });
}

void end(void* transaction) { delete static_cast<Opened*>(transaction); }
void release(void* context) { delete static_cast<Store*>(context); }

Status open(orlop_store& out, const orlop_postgresql_options& options, orlop_error_maker make_error) {
  Settings settings;
  ORLOP_PG_CHECK(read_settings(options, settings));
  auto store = std::make_unique<Store>(std::move(settings), make_error);
  std::unique_ptr<Connection> connection;
  Status connected = store->pool.take(connection);
  // A store that was never reached may not be the intended one.
  if (!connected.ok()) connected.code = ORLOP_ERROR_STORAGE_FAILED;
  ORLOP_PG_CHECK(std::move(connected));
  Status prepared = prepare_schema(*connection, store->pool.settings());
  store->pool.give(std::move(connection));
  if (!prepared.ok()) return prepared;
  ORLOP_PG_CHECK(probe(store->pool.settings()));
  out = {};
  out.size = sizeof out;
  out.begin = begin;
  out.record = record;
  out.machine = machine;
  out.find = find;
  out.links = links;
  out.records = records;
  out.machines = machines;
  out.events = events;
  out.apply = apply;
  out.commit = commit;
  out.end = end;
  out.release = release;
  out.counts = counts;
  out.join = join;
  out.changes = changes;
  out.has_ended = has_ended;
  out.leave = leave;
  out.peers = peers;
  out.leases = leases;
  out.wake_ups = wake_ups;
  out.reports = reports;
  out.records_by_ids = records_by_ids;
  out.machines_by_ids = machines_by_ids;
  out.records_below = records_below;
  out.apply_and_commit = apply_and_commit;
  out.validate = validate;
  out.find_unlikely = find_unlikely;
  out.check = check;
  out.context = store.release();
  return {};
}

orlop_error* open_url(orlop_store* store, orlop_text url, orlop_error_maker make_error) {
  orlop_postgresql_options options = ORLOP_POSTGRESQL_OPTIONS_INIT;
  options.connection = url;
  return orlop_postgresql_open_with(store, &options, make_error);
}

constexpr const char* const schemes[] = {"postgresql", "postgres", nullptr};
constexpr orlop_storage_library library = {sizeof(orlop_storage_library), schemes, open_url};

}  // namespace
}  // namespace orlop::postgresql

const orlop_storage_library* orlop_storage_entry(void) { return &orlop::postgresql::library; }

orlop_error* orlop_postgresql_open_with(orlop_store* store, const orlop_postgresql_options* options,
                                        orlop_error_maker make_error) {
  using namespace orlop::postgresql;
  if (make_error == nullptr) return nullptr;  // an error could not be returned
  return answer(make_error, [&]() -> Status {
    if (store == nullptr || options == nullptr) return misuse("store and options must not be NULL");
    if (options->size != sizeof(orlop_postgresql_options))
      return misuse("the options were not initialized with ORLOP_POSTGRESQL_OPTIONS_INIT");
    return open(*store, *options, make_error);
  });
}
