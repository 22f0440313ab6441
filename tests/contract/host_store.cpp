#include "contract/host_store.h"

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "guard.h"
#include "ports/callbacks.h"
#include "storage/host_store.h"
#include "storage/rows.h"

namespace orlop::contract {
namespace {

using c::given;
using c::id_of;
using c::text_of;
using c::view_of;

orlop_error* refused(const Error& error) {
  return orlop_error_new(static_cast<orlop_code>(error.code), text_of(error.message));
}

template <typename Act>
orlop_error* answer(const Act& act) {
  const Result<void> done = act();
  return done ? nullptr : refused(done.error());
}

Transaction& of(void* transaction) { return *static_cast<Transaction*>(transaction); }

orlop_error* begin(void* context, orlop_access access, void** transaction) {
  auto begun =
      static_cast<HostedStore*>(context)->store->begin(access == ORLOP_ACCESS_WRITE ? Access::write : Access::read);
  if (!begun) return refused(begun.error());
  *transaction = begun->release();
  return nullptr;
}

bool show(const Record& record, orlop_record_visitor visit, void* visitor) {
  const orlop_record row = given(record);
  return visit(visitor, &row) != 0;
}
bool show(const Machine& machine, orlop_machine_visitor visit, void* visitor) {
  std::vector<orlop_phase> phases;
  const auto rows = given(std::span(&machine, 1), phases);
  return visit(visitor, &rows.front()) != 0;
}

orlop_error* record(void* transaction, const orlop_id* id, orlop_record_visitor visit, void* visitor) {
  return answer([&]() -> Result<void> {
    ORLOP_TRY(found, of(transaction).record(id_of(*id)));
    if (found) show(*found, visit, visitor);
    return {};
  });
}

orlop_error* machine(void* transaction, const orlop_id* id, orlop_machine_visitor visit, void* visitor) {
  return answer([&]() -> Result<void> {
    ORLOP_TRY(found, of(transaction).machine(id_of(*id)));
    if (found) show(*found, visit, visitor);
    return {};
  });
}

orlop_error* find(void* transaction, orlop_text name_key, orlop_id* id) {
  return answer([&]() -> Result<void> {
    ORLOP_TRY(found, of(transaction).find(view_of(name_key)));
    *id = id_of(found.value_or(Id{}));
    return {};
  });
}

orlop_error* links(void* transaction, const orlop_id* id, orlop_links_visitor visit, void* visitor) {
  return answer([&]() -> Result<void> {
    ORLOP_TRY(found, of(transaction).links(id_of(*id)));
    std::vector<orlop_id> references;
    for (const Id& target : found.references) references.push_back(id_of(target));
    visit(visitor, text_of(found.name_key), references.data(), references.size());
    return {};
  });
}

// Limits of the C API have 64 bits on every platform.
std::size_t limit_of(std::uint64_t limit) { return limit > SIZE_MAX ? SIZE_MAX : static_cast<std::size_t>(limit); }

orlop_error* records(void* transaction, const orlop_range* range, orlop_record_visitor visit, void* visitor) {
  RecordRange wanted;
  wanted.by = range->by == ORLOP_BY_PARENT ? RecordRange::By::parent : RecordRange::By::reference;
  wanted.key = id_of(range->key);
  wanted.family = range->family;
  wanted.after = id_of(range->after);
  wanted.limit = limit_of(range->limit);
  wanted.fields = range->with_text != 0 ? RecordRange::Fields::all : RecordRange::Fields::no_text;
  return answer([&] {
    return of(transaction).records(wanted, [&](const Record& found) { return show(found, visit, visitor); });
  });
}

orlop_error* machines(void* transaction, const orlop_range* range, orlop_machine_visitor visit, void* visitor) {
  const auto by = range->by == ORLOP_BY_OWNER ? MachineRange::By::owner : MachineRange::By::active;
  return answer([&] {
    const auto partition = range->has_partition != 0 ? std::optional(range->partition) : std::nullopt;
    return of(transaction).machines({by, id_of(range->key), range->family, partition}, [&](const Machine& found) {
      return show(found, visit, visitor);
    });
  });
}

std::vector<Id> ids_of(const orlop_id* ids, std::size_t count) {
  std::vector<Id> wanted;
  for (std::size_t at = 0; at < count; ++at) wanted.push_back(id_of(ids[at]));
  return wanted;
}

template <typename Row, typename Visit>
auto shown_to(Visit visit, void* visitor) {
  return [visit, visitor](const Row& found) { return show(found, visit, visitor); };
}

template <typename Row, typename Visit>
Result<void> show(const Result<Rows>& found, std::vector<Shared<Row>> Rows::*rows, Visit visit, void* visitor) {
  if (!found) return found.error();
  const auto take = shown_to<Row>(visit, visitor);
  for (const Shared<Row>& row : (*found).*rows) {
    if (!take(*row)) break;
  }
  return {};
}

orlop_error* records_by_ids(void* transaction, const orlop_id* ids, std::size_t count, orlop_record_visitor visit,
                            void* visitor) {
  return answer(
      [&] { return show(of(transaction).rows({.records = ids_of(ids, count)}), &Rows::records, visit, visitor); });
}

orlop_error* machines_by_ids(void* transaction, const orlop_id* ids, std::size_t count, orlop_machine_visitor visit,
                             void* visitor) {
  return answer(
      [&] { return show(of(transaction).rows({.machines = ids_of(ids, count)}), &Rows::machines, visit, visitor); });
}

orlop_error* records_below(void* transaction, const orlop_id* parents, std::size_t count, orlop_record_visitor visit,
                           void* visitor) {
  return answer(
      [&] { return show(of(transaction).rows({.parents = ids_of(parents, count)}), &Rows::children, visit, visitor); });
}

orlop_error* counts(void* transaction, const orlop_count_range* range, orlop_count_visitor visit, void* visitor) {
  std::vector<Id> keys;
  for (size_t at = 0; at < range->key_count; ++at) keys.push_back(id_of(range->keys[at]));
  const auto by = range->by == ORLOP_BY_PARENT ? RecordRange::By::parent : RecordRange::By::reference;
  return answer([&]() -> Result<void> {
    ORLOP_TRY(found, of(transaction).counts({by, keys, range->family}));
    for (const RecordCount& count : found) {
      const orlop_record_count row = {sizeof row, id_of(count.key), count.count, count.family};
      if (visit(visitor, &row) == 0) break;
    }
    return {};
  });
}

orlop_error* events(void* transaction, const orlop_event_range* range, orlop_event_visitor visit, void* visitor) {
  EventRange wanted;
  wanted.after = range->after;
  wanted.before = range->before;
  wanted.organization = id_of(range->organization);
  wanted.request = id_of(range->request);
  wanted.subject = id_of(range->subject);
  wanted.order = range->newest_first == 0 ? EventRange::Order::ascending : EventRange::Order::newest_first;
  wanted.limit = limit_of(range->limit);
  return answer([&] {
    return of(transaction).events(wanted, [&](const Event& found) {
      const orlop_event row = given(found);
      return visit(visitor, &row) != 0;
    });
  });
}

Result<RecordWrite> write_of(const orlop_record_write& in) {
  ORLOP_TRY(record, c::taken(in.record));
  RecordWrite write;
  write.record = std::move(record);
  write.expected_revision = in.expected_revision;
  if (in.has_name_key != 0) write.name_key = std::string(view_of(in.name_key));
  if (in.has_references != 0) {
    ORLOP_TRY(links, c::taken({nullptr, 0}, in.references, in.reference_count));
    write.references = std::move(links.references);
  }
  return write;
}

template <typename Row, typename Given>
Result<void> take_all(std::vector<Row>& to, const Given* const* from, std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) {
    ORLOP_TRY(row, c::taken(from[at]));
    to.push_back(std::move(row));
  }
  return {};
}

Result<CoordinationChanges> coordination_of(const orlop_coordination& in) {
  CoordinationChanges changes;
  for (std::size_t at = 0; at < in.fence_count; ++at)
    changes.fences.push_back({in.fences[at]->partition, in.fences[at]->epoch});
  for (std::size_t at = 0; at < in.departure_count; ++at) changes.departures.push_back(id_of(in.departures[at]));
  ORLOP_CHECK(take_all(changes.peers, in.peers, in.peer_count));
  ORLOP_CHECK(take_all(changes.leases, in.leases, in.lease_count));
  ORLOP_CHECK(take_all(changes.taken_wake_ups, in.taken_wake_ups, in.taken_wake_up_count));
  ORLOP_CHECK(take_all(changes.wake_ups, in.wake_ups, in.wake_up_count));
  changes.taken_reports.assign(in.taken_reports, in.taken_reports + in.taken_report_count);
  ORLOP_CHECK(take_all(changes.reports, in.reports, in.report_count));
  return changes;
}

orlop_error* apply_by(const orlop_changes* in, const std::function<Result<void>(const Changes&)>& act) {
  return answer([&]() -> Result<void> {
    Changes changes;
    changes.is_restore = in->is_restore != 0;
    changes.forgotten_events = static_cast<std::uint32_t>(in->forgotten_events);
    for (size_t at = 0; at < in->erasure_count; ++at) changes.erasures.push_back(id_of(in->erasures[at]));
    for (size_t at = 0; at < in->record_count; ++at) {
      ORLOP_TRY(write, write_of(*in->records[at]));
      changes.records.push_back(std::move(write));
    }
    for (size_t at = 0; at < in->machine_count; ++at) {
      ORLOP_TRY(machine, c::taken(in->machines[at]));
      changes.machines.push_back(std::move(machine));
    }
    for (size_t at = 0; at < in->event_count; ++at) {
      ORLOP_TRY(event, c::taken(in->events[at]));
      changes.events.push_back(std::move(event));
    }
    if (in->coordination != nullptr) {
      ORLOP_TRY(coordination, coordination_of(*in->coordination));
      changes.coordination = std::move(coordination);
    }
    return act(changes);
  });
}

orlop_error* apply(void* transaction, const orlop_changes* in) {
  return apply_by(in, [&](const Changes& changes) { return of(transaction).apply(changes); });
}

orlop_error* apply_all_and_commit(void* transaction, const orlop_changes* in) {
  return apply_by(in, [&](const Changes& changes) { return of(transaction).apply_and_commit(Changes(changes)); });
}

orlop_error* join(void* context, const orlop_id* engine, void (*notify)(void*), void* argument, void** membership) {
  auto joined =
      static_cast<HostedStore*>(context)->store->join(id_of(*engine), [notify, argument] { notify(argument); });
  if (!joined) return refused(joined.error());
  *membership = joined->release();
  return nullptr;
}

orlop_error* changes(void* membership, std::uint64_t* number) {
  auto found = static_cast<Membership*>(membership)->changes();
  if (!found) return refused(found.error());
  *number = *found;
  return nullptr;
}

std::int32_t has_ended(void* membership, const orlop_id* engine) {
  return static_cast<Membership*>(membership)->has_ended(id_of(*engine)) ? 1 : 0;
}

void leave(void* membership) { delete static_cast<Membership*>(membership); }

template <typename Rows, typename Visit>
orlop_error* visit_all(Rows rows, Visit visit, void* visitor) {
  if (!rows) return refused(rows.error());
  for (const auto& row : *rows) {
    const auto row_of_c = given(row);
    if (visit(visitor, &row_of_c) == 0) break;
  }
  return nullptr;
}

orlop_error* peers(void* transaction, orlop_peer_visitor visit, void* visitor) {
  return visit_all(of(transaction).coordination()->peers(), visit, visitor);
}
orlop_error* leases(void* transaction, std::uint64_t partitions, orlop_lease_visitor visit, void* visitor) {
  return visit_all(of(transaction).coordination()->leases(PartitionSet(partitions)), visit, visitor);
}
orlop_error* wake_ups(void* transaction, std::uint64_t partitions, std::uint64_t limit, orlop_wake_up_visitor visit,
                      void* visitor) {
  return visit_all(of(transaction).coordination()->wake_ups(PartitionSet(partitions), limit_of(limit)), visit, visitor);
}
orlop_error* reports(void* transaction, std::uint64_t partitions, std::uint64_t limit, orlop_inbox_visitor visit,
                     void* visitor) {
  return visit_all(of(transaction).coordination()->reports(PartitionSet(partitions), limit_of(limit)), visit, visitor);
}

orlop_error* commit(void* transaction) {
  return answer([&] { return of(transaction).commit(); });
}

void end(void* transaction) { delete static_cast<Transaction*>(transaction); }

void release(void* context) { delete static_cast<HostedStore*>(context); }

}  // namespace

orlop_store functions_of_hosted_store() {
  return {sizeof(orlop_store),
          nullptr,
          begin,
          record,
          machine,
          find,
          links,
          records,
          machines,
          events,
          apply,
          commit,
          end,
          release,
          counts,
          join,
          changes,
          has_ended,
          leave,
          peers,
          leases,
          wake_ups,
          reports,
          records_by_ids,
          machines_by_ids,
          records_below,
          apply_all_and_commit,
          nullptr,
          nullptr,
          nullptr};
}

std::unique_ptr<Store> through_c(std::unique_ptr<Store> store, bool with_counts) {
  orlop_store functions = functions_of_hosted_store();
  if (!with_counts) functions.counts = nullptr;
  functions.context = new HostedStore{std::move(store)};
  auto behind = std::make_unique<c::HostStore>(functions, nullptr);
  behind->own();
  return behind;
}

}  // namespace orlop::contract
