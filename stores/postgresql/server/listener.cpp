#include "server/listener.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>
#include <vector>

#include "rows/layout.h"
#include "server/statements.h"

namespace orlop::postgresql {
namespace {

constexpr std::chrono::milliseconds look_interval{100};   // through a pooler
constexpr std::chrono::milliseconds pause{500};           // before connecting again
constexpr std::chrono::milliseconds answer_time{10'000};  // for one result from the server
// for a connection of the host: closing the store waits for it
constexpr std::chrono::milliseconds acquiring_time{1'000};
constexpr std::chrono::milliseconds settling_time{2'000};  // for the lock of a member that joins

}  // namespace

std::string channel_of(const Settings& settings) {
  char name[32];
  std::snprintf(name, sizeof name, "orlop_%016llx", static_cast<unsigned long long>(lock_of(settings.schema)));
  return name;
}

void Listener::join(Member& member) {
  const std::lock_guard life(life_);
  if (!thread_.joinable()) {
    if (::pipe(wake_) != 0)
      throw std::system_error(errno, std::generic_category(), "a pipe for the listener of the store in PostgreSQL");
    is_ending_ = false;
    has_failed_ = false;
    thread_ = std::thread([this] { run(); });
  }
  std::unique_lock lock(mutex_);
  members_.insert(&member);
  (void)!::write(wake_[1], "", 1);
  settled_.wait_for(lock, settling_time, [&] { return member.is_settled; });
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

void Listener::notify_members() {
  ++changes_;
  const std::lock_guard lock(mutex_);
  for (const Member* member : members_) member->notify(member->argument);
}

void Listener::run() noexcept {
  while (!is_ending_) {
    bool is_worth_it = false;
    try {
      if (connect()) {
        notify_members();  // earlier notifications are lost
        const auto begun = std::chrono::steady_clock::now();
        serve();
        is_worth_it = std::chrono::steady_clock::now() - begun > pause;
      }
    } catch (const std::bad_alloc&) {  // retried as after a lost connection
    }
    settle();
    has_failed_ = true;
    link_.reset();
    // Reconnects without a pause if the connection was useful: other engines miss this one.
    if (!is_ending_ && !is_worth_it) wait(0, pause);
  }
}

bool Listener::wait(short events, std::optional<std::chrono::milliseconds> time, bool or_join) {
  while (true) {
    pollfd polled[2] = {{wake_[0], POLLIN, 0}, {link_ ? PQsocket(link_.get()) : -1, events, 0}};
    const int ready = ::poll(polled, 2, time ? static_cast<int>(time->count()) : -1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || is_ending_) return false;
    char woken = 0;
    if (polled[0].revents != 0) (void)!::read(wake_[0], &woken, 1);
    if (or_join || polled[1].revents != 0) return true;
  }
}

void Listener::settle() noexcept {
  const std::lock_guard lock(mutex_);
  for (Member* member : members_) member->is_settled = true;
  settled_.notify_all();
}

void Listener::settle(const std::set<std::uint32_t>& keys) {
  const std::lock_guard lock(mutex_);
  for (Member* member : members_) {
    member->is_settled = member->is_settled || keys.contains(Presence::key_of(member->engine));
  }
  settled_.notify_all();
}

// The host closes the connection in the end, with its lock and its channel.
bool Listener::acquire() {
  const Status acquired = open_link(settings_, acquiring_time, link_);
  if (link_) link_.get_deleter().discard();
  return acquired.ok();
}

bool Listener::connect() {
  if (settings_.host_pool) return acquire();
  link_ = Link(PQconnectStartParams(list_of(settings_.names).data(), list_of(settings_.values).data(), 0));
  if (!link_ || PQstatus(link_.get()) == CONNECTION_BAD) return false;
  for (;;) {
    const PostgresPollingStatusType next = PQconnectPoll(link_.get());
    if (next == PGRES_POLLING_OK) break;
    const bool goes_on = next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING;
    if (!goes_on || !wait(next == PGRES_POLLING_READING ? POLLIN : POLLOUT, answer_time)) return false;
  }
  note_socket(link_);
  PQsetNoticeReceiver(
      link_.get(), [](void*, const PGresult*) {}, nullptr);
  return true;
}

std::optional<std::string> Listener::ask(const std::string& text) {
  if (PQsendQuery(link_.get(), text.c_str()) != 1) return std::nullopt;
  std::optional<std::string> answer;
  bool is_refused = false;
  for (;;) {
    while (PQisBusy(link_.get()) != 0) {
      if (!wait(POLLIN, answer_time) || PQconsumeInput(link_.get()) != 1) return std::nullopt;
    }
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQgetResult(link_.get()), PQclear);
    if (!result) return is_refused ? std::nullopt : answer;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) is_refused = true;
    else answer = PQntuples(result.get()) == 0 ? "" : PQgetvalue(result.get(), 0, 0);
  }
}

void Listener::serve() {
  const std::optional<std::string> process = ask("SELECT pg_backend_pid()");
  if (!process) return;
  if (*process == std::to_string(PQbackendPID(link_.get()))) return listen();
  settle();
  const std::string last_mark =
      with_prefix("SELECT number FROM @commit_mark ORDER BY number DESC LIMIT 1", settings_.prefix);
  std::string seen;
  while (std::optional<std::string> mark = ask(last_mark)) {
    if (*mark != seen) notify_members();
    seen = std::move(*mark);
    wait(0, look_interval, true);
    settle();
    if (is_ending_) return;
  }
}

std::set<std::uint32_t> Listener::own_keys() {
  std::set<std::uint32_t> keys;
  const std::lock_guard lock(mutex_);
  for (const Member* member : members_) keys.insert(Presence::key_of(member->engine));
  return keys;
}

// A lock that is not free is tried again: the server may not have noticed the end of the former connection.
bool Listener::hold() {
  const std::set<std::uint32_t> keys = own_keys();
  for (const std::uint32_t key : keys) {
    if (held_.contains(key)) continue;
    const std::optional<std::string> taken = ask(presence_.lock(key));
    if (!taken) return false;
    if (*taken == "t") held_.insert(key);
    else must_look_ = true;
    // For a row that was written before the server restarted. An engine whose role may not write it does not drive.
    if (*taken == "t" && !ask(Presence::note(key, settings_.prefix)) && PQstatus(link_.get()) != CONNECTION_OK) {
      return false;
    }
  }
  settle(keys);
  for (auto at = held_.begin(); at != held_.end();) {
    if (keys.contains(*at)) {
      ++at;
      continue;
    }
    if (!ask(presence_.unlock(*at))) return false;
    at = held_.erase(at);
  }
  return true;
}

// An engine that is alone only waits for notifications: every other engine sends some.
bool Listener::look() {
  const auto now = std::chrono::steady_clock::now();
  if (!must_look_ || now - looked_at_ < Presence::look_interval) return true;
  // Rows before locks: an engine takes its lock before it writes its row.
  const std::optional<std::string> peers = trusts_peers_ ? ask(Presence::peers(settings_.prefix)) : "";
  const std::optional<std::string> held = ask(presence_.look());
  if (!peers || !held) return false;
  looked_at_ = now;
  if (presence_.see(*held, *peers)) notify_members();
  must_look_ = presence_.has_others(held_);
  return true;
}

bool Listener::take_notifications() {
  bool is_notified = false;
  while (PGnotify* notification = PQnotifies(link_.get())) {
    PQfreemem(notification);
    is_notified = true;
  }
  return is_notified;
}

void Listener::listen() {
  held_.clear();
  presence_.forget();
  // After a lost connection, those of other engines may be lost, too, and are being reconnected.
  trusts_peers_ = !has_failed_;
  looked_at_ = {};
  const std::string channel = channel_of(settings_);
  if (!hold() || !ask("LISTEN " + channel)) return;
  // The other engines look for locks: one that has missed this engine for too long, because the server or this process
  // was slow, sees it again.
  if (!ask("NOTIFY " + channel)) return;
  notify_members();  // for changes since the connection was made
  must_look_ = true;
  while (hold() && look()) {
    if (take_notifications()) {
      must_look_ = true;
      notify_members();
      continue;
    }
    wait(POLLIN, must_look_ ? std::optional(Presence::look_interval) : std::nullopt, true);
    if (is_ending_ || PQconsumeInput(link_.get()) != 1) return;
  }
}

}  // namespace orlop::postgresql
