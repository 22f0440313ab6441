#include "rows/coordination.h"

#include <span>
#include <string>
#include <utility>

namespace orlop::postgresql {
namespace {

// Appends an array with one element per row, made by `add`.
template <typename Row, typename Add>
Parameters& column(Parameters& parameters, Type type, std::span<const Row* const> rows, const Add& add) {
  return parameters.array(type, rows, [&](Parameters& array, const Row* row) { add(array, *row); });
}

template <typename Row>
void partitions(Parameters& parameters, std::span<const Row* const> rows) {
  column(parameters, Type::smallint, rows,
         [](Parameters& array, const Row& row) { array.add_smallint(row.partition); });
}

void epochs(Parameters& parameters, std::span<const orlop_lease* const> leases) {
  column(parameters, Type::bigint, leases,
         [](Parameters& array, const orlop_lease& lease) { array.add_bigint(static_cast<std::int64_t>(lease.epoch)); });
}

Parameters peers_of(std::span<const orlop_peer* const> peers, const Settings& settings) {
  Parameters out;
  column(out, Type::uuid, peers, [](Parameters& array, const orlop_peer& peer) { array.add_uuid(peer.engine); });
  column(out, Type::bigint, peers,
         [](Parameters& array, const orlop_peer& peer) { array.add_bigint(static_cast<std::int64_t>(peer.counter)); });
  column(out, Type::smallint, peers, [](Parameters& array, const orlop_peer& peer) { array.add_smallint(peer.rank); });
  column(out, Type::bigint, peers,
         [](Parameters& array, const orlop_peer& peer) { array.add_bigint(Presence::key_of(peer.engine)); });
  out.bigint(Presence::number_of(settings.schema));
  return out;
}

Parameters leases_of(std::span<const orlop_lease* const> leases) {
  Parameters out;
  partitions(out, leases);
  column(out, Type::uuid, leases,
         [](Parameters& array, const orlop_lease& lease) { array.add_uuid_or_null(lease.holder); });
  epochs(out, leases);
  return out;
}

Parameters wake_ups_of(std::span<const orlop_wake_up* const> wake_ups) {
  Parameters out;
  partitions(out, wake_ups);
  column(out, Type::uuid, wake_ups,
         [](Parameters& array, const orlop_wake_up& wake_up) { array.add_uuid(wake_up.owner); });
  return out;
}

Parameters reports_of(std::span<const orlop_inbox_report* const> reports) {
  Parameters out;
  partitions(out, reports);
  column(out, Type::uuid, reports,
         [](Parameters& array, const orlop_inbox_report& report) { array.add_uuid(report.step); });
  column(out, Type::bigint, reports,
         [](Parameters& array, const orlop_inbox_report& report) { array.add_bigint(report.at_ms); });
  column(out, Type::smallint, reports,
         [](Parameters& array, const orlop_inbox_report& report) { array.add_smallint(report.kind); });
  column(out, Type::smallint, reports,
         [](Parameters& array, const orlop_inbox_report& report) { array.add_smallint(report.running); });
  column(out, Type::bytes, reports,
         [](Parameters& array, const orlop_inbox_report& report) { array.add_bytes_or_null(view_of(report.text)); });
  return out;
}

std::uint8_t small(const Rows& rows, int row, int column) {
  return static_cast<std::uint8_t>(rows.smallint(row, column));
}
Parameters some_of(std::uint64_t partitions) {
  Parameters out;
  out.bigint(static_cast<std::int64_t>(partitions));
  return out;
}

void note_nothing(const Rows&) {}

// Runs the query, and visits the values that `read` makes of its rows.
template <typename Row, typename Read, typename Note = void (*)(const Rows&)>
Status visit_rows(Transaction& transaction, Statement statement, Parameters parameters, const Read& read,
                  int32_t (*visit)(void*, const Row*), void* visitor, const Note& note = note_nothing) {
  Rows rows;
  ORLOP_PG_CHECK(transaction.query(statement, std::move(parameters), rows));
  note(rows);
  for (int row = 0; row < rows.count(); ++row) {
    Row value{};
    value.size = sizeof value;
    read(rows, row, value);
    if (visit(visitor, &value) == 0) break;
  }
  return {};
}

}  // namespace

void queue_fences(Connection& connection, const orlop_coordination& changes) {
  const std::span<const orlop_lease* const> fences(changes.fences, changes.fence_count);
  Parameters parameters;
  partitions(parameters, fences);
  epochs(parameters, fences);
  connection.queue(Statement::check_fences, std::move(parameters));
}

std::size_t queue_coordination(Connection& connection, const orlop_coordination& changes, const Settings& settings) {
  std::size_t queued = 0;
  const auto queue = [&](std::size_t count, Statement statement, auto parameters_of) {
    if (count == 0) return;
    connection.queue(statement, parameters_of());
    ++queued;
  };
  queue(changes.departure_count, Statement::erase_peers, [&] {
    Parameters out;
    out.array(Type::uuid, std::span(changes.departures, changes.departure_count),
              [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
    return out;
  });
  queue(changes.peer_count, Statement::set_peers, [&] {
    return peers_of({changes.peers, changes.peer_count}, settings);
  });
  queue(changes.lease_count, Statement::set_leases, [&] { return leases_of({changes.leases, changes.lease_count}); });
  queue(changes.taken_wake_up_count, Statement::erase_wake_ups, [&] {
    return wake_ups_of({changes.taken_wake_ups, changes.taken_wake_up_count});
  });
  queue(changes.wake_up_count, Statement::insert_wake_ups, [&] {
    return wake_ups_of({changes.wake_ups, changes.wake_up_count});
  });
  queue(changes.taken_report_count, Statement::erase_reports, [&] {
    Parameters out;
    out.array(Type::bigint, std::span(changes.taken_reports, changes.taken_report_count),
              [](Parameters& array, std::uint64_t number) { array.add_bigint(static_cast<std::int64_t>(number)); });
    return out;
  });
  queue(changes.report_count, Statement::insert_reports, [&] {
    return reports_of({changes.reports, changes.report_count});
  });
  queue(queued, Statement::notify, [&] {
    Parameters out;
    out.text(channel_of(settings));
    return out;
  });
  return queued;
}

Status read_peers(Transaction& transaction, orlop_peer_visitor visit, void* visitor) {
  const auto read = [](const Rows& rows, int row, orlop_peer& peer) {
    peer.engine = rows.uuid(row, 0);
    peer.counter = static_cast<std::uint64_t>(rows.bigint(row, 1));
    peer.rank = small(rows, row, 2);
  };
  return visit_rows(transaction, Statement::peers, {}, read, visit, visitor);
}

Status read_leases(Transaction& transaction, std::uint64_t partitions, orlop_lease_visitor visit, void* visitor) {
  const auto read = [](const Rows& rows, int row, orlop_lease& lease) {
    lease.partition = small(rows, row, 0);
    lease.holder = rows.uuid(row, 1);
    lease.epoch = static_cast<std::uint64_t>(rows.bigint(row, 2));
  };
  const auto note = [&](const Rows& rows) {
    if (ReadSet* const read_set = transaction.read_set()) read_set->add_leases(partitions, rows);
  };
  return visit_rows(transaction, Statement::leases, some_of(partitions), read, visit, visitor, note);
}

Status read_wake_ups(Transaction& transaction, std::uint64_t partitions, std::uint64_t limit,
                     orlop_wake_up_visitor visit, void* visitor) {
  Parameters parameters = some_of(partitions);
  parameters.bigint(bound_of(limit));
  const auto read = [](const Rows& rows, int row, orlop_wake_up& wake_up) {
    wake_up.partition = small(rows, row, 0);
    wake_up.owner = rows.uuid(row, 1);
  };
  return visit_rows(transaction, Statement::wake_ups, std::move(parameters), read, visit, visitor);
}

Status read_reports(Transaction& transaction, std::uint64_t partitions, std::uint64_t limit, orlop_inbox_visitor visit,
                    void* visitor) {
  Parameters parameters = some_of(partitions);
  parameters.bigint(bound_of(limit));
  const auto read = [](const Rows& rows, int row, orlop_inbox_report& report) {
    report.number = static_cast<std::uint64_t>(rows.bigint(row, 0));
    report.partition = small(rows, row, 1);
    report.step = rows.uuid(row, 2);
    report.at_ms = rows.bigint(row, 3);
    report.kind = small(rows, row, 4);
    report.running = small(rows, row, 5);
    report.text = text_of(rows.bytes(row, 6));
  };
  return visit_rows(transaction, Statement::reports, std::move(parameters), read, visit, visitor);
}

}  // namespace orlop::postgresql
