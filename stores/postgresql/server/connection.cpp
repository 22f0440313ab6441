#include "server/connection.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

namespace orlop::postgresql {
namespace {

constexpr int oldest_server = 130'000;

orlop_code code_of(std::string_view state) {
  // Lock timeout, too many connections, canceled.
  if (state == "55P03" || state == "53300" || state == "57014") return ORLOP_ERROR_STORAGE_BUSY;
  if (state == "23505") return ORLOP_ERROR_CONFLICT;
  if (state == "XX001" || state == "XX002") return ORLOP_ERROR_STORAGE_CORRUPT;
  return ORLOP_ERROR_STORAGE_FAILED;
}

// Reports errors after which this server is unusable: it is shut down, or is no longer the primary.
bool ends_connection(std::string_view state) {
  return state.starts_with("08") || state == "57P01" || state == "57P02" || state == "57P03" || state == "25006" ||
         state == "57P05" || state == "25P03" || state == "25P04";
}

// Reports whether the tables may have been recreated under the connection, for example by restoring a dump: the row
// types that the connection knows are then outdated.
bool may_have_other_types(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state != nullptr && (std::string_view(state) == "42804" || std::string_view(state) == "XX000");
}

}  // namespace

Connection::~Connection() {
  if (is_lost_) link_.get_deleter().discard();
}

void Connection::finish() noexcept {
  try {
    take_rest();
  } catch (const std::bad_alloc&) { is_lost_ = true; }
}

Status Connection::open(Oid machine_type) {
  ORLOP_PG_CHECK(open_link(settings_, settings_.lock_timeout, link_));
  if (server_version() < oldest_server) {
    return failed(settings_.server + " has version " + std::to_string(server_version() / 10'000) +
                  "; the store needs PostgreSQL 13 or later");
  }
  if (PQenterPipelineMode(link_.get()) != 1) return lost("the pipeline mode is refused");
  machine_type_ = machine_type;
  is_pooled_ = static_cast<bool>(settings_.host_pool);
  if (!is_pooled_ || machine_type == 0) ORLOP_PG_CHECK(find_session());
  if (is_pooled_) return {};
  queue_settings(false);
  queue(Statement::set_transactions);
  return run();
}

void Connection::queue_settings(bool for_transaction) {
  Parameters parameters;
  parameters.boolean(for_transaction).text(std::to_string(settings_.lock_timeout.count()));
  queue(Statement::set_session, std::move(parameters));
}

void Connection::queue_begin(Statement begin) {
  if (is_pooled_) take_rest();
  queue(begin);
  if (is_pooled_) queue_settings(true);
}

void Connection::queue_idle_bound() {
  Parameters bound;
  bound.text(std::to_string(settings_.writer_idle_timeout.count()));
  queue(Statement::bound_writer, std::move(bound));
}

// A pooler gives its connection to the server to another client when it sees the end of a transaction. Statements sent
// after it would be answered to that client.
void Connection::take_rest() {
  Rows rows;
  while (!expected_.empty()) {
    const Expected expected = expected_.front();
    expected_.pop_front();
    if (take_one(expected, rows).kind == Status::Kind::lost) return;
  }
}

// A pooler gives the client another process number. A missing table has no type yet.
Status Connection::find_session() {
  Rows rows;
  ORLOP_PG_CHECK(
      query("SELECT pg_backend_pid(), (SELECT coalesce(max(c.reltype::int8), 0) FROM pg_class AS c JOIN pg_namespace "
            "AS n ON n.oid = c.relnamespace WHERE n.nspname =" +
                literal(settings_.schema) + " AND c.relname = 'machine')",
            rows));
  is_pooled_ = settings_.host_pool || PQbackendPID(link_.get()) != rows.integer(0, 0);
  machine_type_ = static_cast<Oid>(rows.bigint(0, 1));
  return {};
}

void Connection::queue(Statement statement, Parameters parameters) {
  const auto index = static_cast<std::size_t>(statement);
  const char* text = texts_[index].c_str();
  const int count = parameters.count();
  const char* const* values = parameters.values();
  if (is_pooled_) {
    expected_.push_back({Kind::rows, statement, false});
    if (PQsendQueryParams(link_.get(), text, count, parameters.types(), values, parameters.sizes(),
                          parameters.formats(), 1) != 1)
      is_lost_ = true;
    return;
  }
  if (!is_prepared_[index]) {
    is_prepared_[index] = true;  // until the result shows otherwise
    expected_.push_back({Kind::prepared, statement, false});
    if (PQsendPrepare(link_.get(), name_of(statement), text, count, parameters.types()) != 1) is_lost_ = true;
  }
  expected_.push_back({Kind::rows, statement, false});
  if (PQsendQueryPrepared(link_.get(), name_of(statement), count, values, parameters.sizes(), parameters.formats(),
                          1) != 1)
    is_lost_ = true;
}

void Connection::queue_flush() {
  if (PQsendFlushRequest(link_.get()) != 1) is_lost_ = true;
}

std::size_t Connection::queued() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      expected_, [](const Expected& expected) { return expected.kind == Kind::rows && !expected.is_left; }));
}

void Connection::send() {
  expected_.push_back({Kind::group, Statement::commit, false});
  if (PQpipelineSync(link_.get()) != 1) is_lost_ = true;
}

void Connection::end_transaction(Statement end) noexcept {
  if (is_lost()) return;
  try {
    queue(end);
    send();
    for (Expected& expected : expected_) expected.is_left = true;
  } catch (const std::bad_alloc&) { is_lost_ = true; }
}

Status Connection::take(Rows& rows) {
  Status first;
  while (!expected_.empty()) {
    const Expected expected = expected_.front();
    expected_.pop_front();
    rows = {};
    Status status = take_one(expected, rows);
    if (status.kind == Status::Kind::lost) return status;
    if (expected.is_left) continue;
    if (!status.ok() && first.ok()) first = std::move(status);
    if (expected.kind == Kind::rows) return first;
  }
  return first;
}

Status Connection::run(std::vector<Rows>& results) {
  send();
  return take(queued(), results);
}

Status Connection::take(std::size_t count, std::vector<Rows>& results) {
  Status first;
  results.reserve(results.size() + count);
  for (std::size_t taken = 0; taken < count; ++taken) {
    Rows rows;
    Status status = take(rows);
    if (status.kind == Status::Kind::lost) return first.ok() ? status : first;
    if (first.ok()) first = std::move(status);
    results.push_back(std::move(rows));
  }
  return first;
}

Status Connection::take_one(const Expected& expected, Rows& rows) {
  if (is_lost()) return lost(PQerrorMessage(link_.get()));
  PGresult* result = PQgetResult(link_.get());
  if (result == nullptr) return lost("an answer is missing");
  Rows taken(result);
  const ExecStatusType status = PQresultStatus(result);
  if (expected.kind == Kind::group) return end_of_group(result);
  // A null ends the results of each statement. A lost connection has no more results to wait for.
  if (PQstatus(link_.get()) == CONNECTION_OK) {
    while (PGresult* more = PQgetResult(link_.get())) PQclear(more);
  }
  const bool is_done = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
  if (expected.kind == Kind::prepared && !is_done) is_prepared_[static_cast<std::size_t>(expected.statement)] = false;
  if (status == PGRES_PIPELINE_ABORTED) return failed(settings_.server + ": a statement before this one failed");
  if (!is_done) {
    Status error = error_of(result);
    if (error.kind == Status::Kind::lost || may_have_other_types(result)) is_lost_ = true;
    return error;
  }
  if (expected.kind == Kind::rows) rows = std::move(taken);
  return {};
}

// If the group was a transaction, the error of its commit comes before the end of the group.
Status Connection::end_of_group(PGresult* result) {
  if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) return {};
  if (PQresultStatus(result) != PGRES_FATAL_ERROR) return lost(PQerrorMessage(link_.get()));
  Status error = error_of(result);
  if (error.kind == Status::Kind::lost) is_lost_ = true;
  for (int attempt = 0; attempt < 2 && !is_lost(); ++attempt) {  // a null may be between them
    const Rows next(PQgetResult(link_.get()));
    if (next.is_end_of_group()) return error;
  }
  return error.kind == Status::Kind::lost ? error : lost(PQerrorMessage(link_.get()));
}

Status Connection::take_end() {
  if (expected_.empty()) return {};
  expected_.pop_front();
  Rows rows;
  return take_one({Kind::group, Statement::commit, false}, rows);
}

Status Connection::error_of(const PGresult* result) const {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string_view known = state == nullptr ? "" : state;
  Status status = {code_of(known),
                   settings_.server + ": " + line_of(primary != nullptr ? primary : PQerrorMessage(link_.get()))};
  if (known == "40001" || known == "40P01") {
    status.code = ORLOP_ERROR_STORAGE_BUSY;
    status.kind = Status::Kind::transient;
  } else if (known == "22012") {
    status.kind = Status::Kind::unmet;
  } else if (known.empty() || ends_connection(known) || PQstatus(link_.get()) != CONNECTION_OK) {
    status.code = ORLOP_ERROR_STORAGE_BUSY;
    status.kind = Status::Kind::lost;
    status.message = lost_words(settings_, primary != nullptr ? primary : PQerrorMessage(link_.get()));
  }
  if (const char* constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
      constraint != nullptr && known == "23505") {
    // The commit number that was assumed to be the next one.
    if (std::string_view(constraint) == "commit_mark_number") status.kind = Status::Kind::unmet;
    // Another transaction has inserted the same key; only for names that is a conflict.
    if (std::string_view(constraint) != "record_name") status.code = ORLOP_ERROR_LOST_UPDATE;
    status.message = status.code == ORLOP_ERROR_CONFLICT ? "the name is already taken"
                                                         : "a record or machine was made by another transaction";
  }
  return status;
}

Status Connection::lost(const char* reason) {
  is_lost_ = true;
  return {ORLOP_ERROR_STORAGE_BUSY, lost_words(settings_, reason), Status::Kind::lost};
}

Status Connection::execute(const std::string& text) {
  Rows rows;
  return outside(rows, [&] { return PQexec(link_.get(), text.c_str()); });
}

Status Connection::query(const std::string& text, Rows& rows) {
  return outside(rows,
                 [&] { return PQexecParams(link_.get(), text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1); });
}

template <typename Run>
Status Connection::outside(Rows& rows, const Run& run) {
  ORLOP_PG_CHECK(take(rows));  // the end of the last group
  if (is_lost() || PQexitPipelineMode(link_.get()) != 1) return lost(PQerrorMessage(link_.get()));
  PGresult* result = run();
  rows = Rows(result);
  const ExecStatusType ended = PQresultStatus(result);
  Status status = ended == PGRES_COMMAND_OK || ended == PGRES_TUPLES_OK ? Status() : error_of(result);
  if (status.kind == Status::Kind::lost) is_lost_ = true;
  else if (PQenterPipelineMode(link_.get()) != 1) return lost("the pipeline mode is refused");
  return status;
}

}  // namespace orlop::postgresql
