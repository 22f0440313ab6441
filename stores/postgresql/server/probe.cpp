#include "server/probe.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/link.h"
#include "server/statements.h"

namespace orlop::postgresql {
namespace {

using Clock = std::chrono::steady_clock;
using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

// The result of a group of statements.
struct Answer {
  bool is_late = false;             // not received within the lock timeout
  std::string fault;                // of the first statement that failed; empty if none has
  std::string state;                // its SQLSTATE
  std::vector<std::string> values;  // of the last row
};

class ProbeConnection {
 public:
  Status open(const Settings& settings) {
    patience_ = settings.lock_timeout;
    const Status opened = open_link(settings, settings.lock_timeout, link_);
    if (!opened.ok() && opened.kind != Status::Kind::lost) return opened;
    if (opened.ok() && PQsetnonblocking(link_.get(), 1) == 0 && PQenterPipelineMode(link_.get()) == 1) return {};
    return {ORLOP_ERROR_STORAGE_BUSY, settings.server + " gives no further connection: " + message()};
  }

  int process() const { return PQbackendPID(link_.get()); }

  // Sends the statements as one group, which is a transaction unless one is open.
  Answer ask(std::initializer_list<std::string_view> statements) {
    Answer answer;
    for (const std::string_view statement : statements) {
      const std::string text(statement);
      if (PQsendQueryParams(link_.get(), text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) != 1)
        answer.fault = message();
    }
    if (PQpipelineSync(link_.get()) != 1) answer.fault = message();
    const Clock::time_point end = Clock::now() + patience_;
    while (PQstatus(link_.get()) == CONNECTION_OK) {
      if (Clock::now() >= end || !await(end)) {
        answer.is_late = PQstatus(link_.get()) == CONNECTION_OK;
        if (!answer.is_late) answer.fault = message();
        return answer;
      }
      const Result result(PQgetResult(link_.get()), PQclear);
      if (result == nullptr) continue;  // end of a statement's results
      const ExecStatusType status = PQresultStatus(result.get());
      if (status == PGRES_PIPELINE_SYNC) return answer;
      if (status == PGRES_FATAL_ERROR && answer.fault.empty()) note_fault(*result, answer);
      if (status == PGRES_TUPLES_OK && PQntuples(result.get()) == 1) answer.values = values_of(*result);
    }
    answer.fault = message();
    return answer;
  }

 private:
  static std::string line_of(std::string_view message) { return std::string(message.substr(0, message.find('\n'))); }
  std::string message() const { return line_of(PQerrorMessage(link_.get())); }

  static void note_fault(const PGresult& result, Answer& answer) {
    const char* const primary = PQresultErrorField(&result, PG_DIAG_MESSAGE_PRIMARY);
    const char* const state = PQresultErrorField(&result, PG_DIAG_SQLSTATE);
    answer.fault = primary == nullptr ? "no reason is known" : primary;
    answer.state = state == nullptr ? "" : state;
  }

  static std::vector<std::string> values_of(const PGresult& row) {
    std::vector<std::string> values;
    for (int field = 0; field < PQnfields(&row); ++field) values.emplace_back(PQgetvalue(&row, 0, field));
    return values;
  }

  // Waits for a result. Returns false at the time `end`, or if the connection is lost.
  bool await(Clock::time_point end) {
    while (PQisBusy(link_.get()) == 1) {
      const bool is_sent = PQflush(link_.get()) == 0;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd socket = {PQsocket(link_.get()), static_cast<short>(is_sent ? POLLIN : POLLIN | POLLOUT), 0};
      if (left <= 0) return false;
      if (poll(&socket, 1, static_cast<int>(left)) < 0 && errno != EINTR) return false;
      if (PQconsumeInput(link_.get()) != 1) return false;
    }
    return true;
  }

  Link link_;
  std::chrono::milliseconds patience_{0};
};

Status holds_back(const Settings& settings, const std::string& reason) {
  return failed(settings.server +
                " is behind a pooler that holds back the end of a transaction: what it answers as stored is not (" +
                reason + "); connect to the server directly, or through pgbouncer");
}

Status late(const Settings& settings, const std::string& where) {
  return failed(settings.server + " has not answered within " + std::to_string(settings.lock_timeout.count()) + " ms" +
                where);
}

Status shares_sessions(const Settings& settings) {
  return failed(settings.server +
                " shares one session among its connections, as PGlite does; the store needs a session for each "
                "connection, as a PostgreSQL server gives");
}

}  // namespace

Status probe(const Settings& settings) {
  ProbeConnection first;
  ProbeConnection second;
  ORLOP_PG_CHECK(first.open(settings));
  ORLOP_PG_CHECK(second.open(settings));
  if (first.process() != 0 && first.process() == second.process()) return shares_sessions(settings);
  // A group without BEGIN that may write is a transaction, which ends with the group.
  const Answer written = first.ask({with_prefix("DELETE FROM @wake_up WHERE false", settings.prefix)});
  if (!written.is_late && !written.fault.empty()) return {};  // the role, or the server, is read-only
  const Answer begun = first.ask(
      {"BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT set_config('orlop.probe', 'first', true), pg_backend_pid()"});
  constexpr std::string_view active_transaction = "25001";
  if (written.is_late || begun.is_late) return late(settings, "");
  if (begun.state == active_transaction) return holds_back(settings, begun.fault);
  if (!begun.fault.empty()) return failed(settings.server + " refuses a transaction: " + begun.fault);
  const Answer seen = second.ask({"SELECT coalesce(current_setting('orlop.probe', true), ''), pg_backend_pid()"});
  if (seen.is_late)
    return late(
        settings,
        " on a second connection while one is in a transaction; a pooler must offer several connections to the server");
  const bool is_one = seen.values.size() == 2 && begun.values.size() == 2 &&
                      (seen.values[0] == "first" || seen.values[1] == begun.values[1]);
  if (is_one) return shares_sessions(settings);
  const Answer ended = first.ask({"COMMIT"});
  return ended.is_late ? late(settings, "") : Status();
}

}  // namespace orlop::postgresql
