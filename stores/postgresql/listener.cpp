#include "listener.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>
#include <vector>

#include "layout.h"
#include "statements.h"

namespace orlop::postgresql {
namespace {

constexpr std::chrono::milliseconds look_interval{100};  // through a pooler
constexpr std::chrono::milliseconds pause{500};          // before connecting again
constexpr std::chrono::milliseconds answer_time{10'000};  // for one answer of the server

}  // namespace

std::string channel_of(const Settings& settings) {
  char name[32];
  std::snprintf(name, sizeof name, "orlop_%016llx", static_cast<unsigned long long>(lock_of(settings.schema)));
  return name;
}

void Listener::join(Member& member) {
  const std::lock_guard life(life_);
  if (!thread_.joinable()) {
    if (::pipe(wake_) != 0) throw std::system_error(errno, std::generic_category(), "a pipe for the listener of the store in PostgreSQL");
    is_ending_ = false;
    thread_ = std::thread([this] { run(); });
  }
  const std::lock_guard lock(mutex_);
  members_.insert(&member);
}

void Listener::leave(Member& member) noexcept {
  const std::lock_guard life(life_);
  {
    const std::lock_guard lock(mutex_);
    members_.erase(&member);
    if (!members_.empty()) return;
  }
  if (!thread_.joinable()) return;
  is_ending_ = true;
  (void)!::write(wake_[1], "", 1);
  thread_.join();
  for (int& end : wake_) ::close(end);
}

void Listener::tell() {
  ++changes_;
  const std::lock_guard lock(mutex_);
  for (const Member* member : members_) member->notify(member->argument);
}

void Listener::run() noexcept {
  while (!is_ending_) {
    try {
      if (connect()) {
        tell();  // what was sent before is not told again
        serve();
      }
    } catch (const std::bad_alloc&) {  // it begins anew, as after a lost connection
    }
    link_.reset();
    if (!is_ending_) wait(0, pause);
  }
}

bool Listener::wait(short events, std::optional<std::chrono::milliseconds> time) {
  pollfd polled[2] = {{wake_[0], POLLIN, 0}, {link_ ? PQsocket(link_.get()) : -1, events, 0}};
  const int ready = ::poll(polled, 2, time ? static_cast<int>(time->count()) : -1);
  return ready > 0 && polled[0].revents == 0 && !is_ending_;
}

bool Listener::connect() {
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (std::size_t at = 0; at < settings_.names.size(); ++at) {
    names.push_back(settings_.names[at].c_str());
    values.push_back(settings_.values[at].c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  link_.reset(PQconnectStartParams(names.data(), values.data(), 0));
  if (!link_ || PQstatus(link_.get()) == CONNECTION_BAD) return false;
  for (;;) {
    const PostgresPollingStatusType next = PQconnectPoll(link_.get());
    if (next == PGRES_POLLING_OK) break;
    const bool goes_on = next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING;
    if (!goes_on || !wait(next == PGRES_POLLING_READING ? POLLIN : POLLOUT, answer_time)) return false;
  }
  PQsetNoticeReceiver(link_.get(), [](void*, const PGresult*) {}, nullptr);
  return true;
}

std::optional<std::string> Listener::ask(const std::string& text) {
  if (PQsendQuery(link_.get(), text.c_str()) != 1) return std::nullopt;
  std::optional<std::string> answer;
  for (;;) {
    while (PQisBusy(link_.get()) != 0) {
      if (!wait(POLLIN, answer_time) || PQconsumeInput(link_.get()) != 1) return std::nullopt;
    }
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQgetResult(link_.get()), PQclear);
    if (!result) return answer;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) return std::nullopt;
    answer = PQntuples(result.get()) == 0 ? "" : PQgetvalue(result.get(), 0, 0);
  }
}

void Listener::serve() {
  const std::optional<std::string> process = ask("SELECT pg_backend_pid()");
  if (!process) return;
  if (*process == std::to_string(PQbackendPID(link_.get()))) return listen();
  const std::string last_mark = with_prefix("SELECT number FROM @commit_mark ORDER BY number DESC LIMIT 1", settings_.prefix);
  std::string seen;
  while (std::optional<std::string> mark = ask(last_mark)) {
    if (*mark != seen) tell();
    seen = std::move(*mark);
    wait(0, look_interval);
    if (is_ending_) return;
  }
}

void Listener::listen() {
  if (!ask("LISTEN " + channel_of(settings_))) return;
  tell();  // what was sent since the connection was made
  for (;;) {
    bool is_told = false;
    while (PGnotify* notification = PQnotifies(link_.get())) {
      PQfreemem(notification);
      is_told = true;
    }
    if (is_told) tell();
    if (!wait(POLLIN, std::nullopt) || PQconsumeInput(link_.get()) != 1) return;
  }
}

}  // namespace orlop::postgresql
