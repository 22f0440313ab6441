#include "server/pool.h"

#include <utility>

namespace orlop::postgresql {
namespace {

std::string seconds_of(std::chrono::milliseconds time) { return std::to_string(time.count()) + " ms"; }

}  // namespace

// Takes an idle connection if `idle` is given, or the right to open one.
Status Pool::reserve(std::unique_ptr<Connection>* idle) {
  std::unique_lock lock(mutex_);
  const auto is_possible = [&] { return !idle_.empty() || open_ < settings_.connections_max; };
  if (!free_.wait_for(lock, settings_.lock_timeout, is_possible)) {
    return {ORLOP_ERROR_STORAGE_BUSY, "all " + std::to_string(open_) + " connections to " + settings_.server +
                                          " were in use for " + seconds_of(settings_.lock_timeout)};
  }
  if (idle_.empty()) {
    ++open_;
    return {};
  }
  std::unique_ptr<Connection> taken = std::move(idle_.back());
  idle_.pop_back();
  if (idle != nullptr) *idle = std::move(taken);  // else the connection is closed, and its slot is reused
  return {};
}

Status Pool::take(std::unique_ptr<Connection>& connection) {
  connection.reset();
  ORLOP_PG_CHECK(reserve(&connection));
  return connection ? Status() : open(connection);
}

Status Pool::take_new(std::unique_ptr<Connection>& connection) {
  connection.reset();
  ORLOP_PG_CHECK(reserve(nullptr));
  return open(connection);
}

Status Pool::open(std::unique_ptr<Connection>& connection) {
  connection = std::make_unique<Connection>(settings_, texts_);
  Oid machine_type = 0;
  {
    const std::lock_guard lock(mutex_);
    machine_type = machine_type_;
  }
  Status opened = connection->open(machine_type);
  if (opened.ok()) return opened;
  connection.reset();
  give(nullptr);
  return opened;
}

void Pool::give(std::unique_ptr<Connection> connection) {
  const bool is_of_host = connection && settings_.host_pool;
  if (is_of_host) connection->finish();
  const Oid machine_type = is_of_host && !connection->is_lost() ? connection->machine_type() : 0;
  if (is_of_host) connection.reset();  // before another one may be acquired
  {
    const std::lock_guard lock(mutex_);
    if (is_of_host) machine_type_ = machine_type;
    if (connection && !connection->is_lost() && idle_.size() < kept_idle) idle_.push_back(std::move(connection));
    else --open_;
  }
  free_.notify_one();
}

void Pool::forget_idle() {
  std::vector<std::unique_ptr<Connection>> closed;
  {
    const std::lock_guard lock(mutex_);
    closed.swap(idle_);
    open_ -= closed.size();
  }
  free_.notify_all();
}

Status Pool::take_turn() {
  std::unique_lock lock(mutex_);
  if (!turn_.wait_for(lock, settings_.lock_timeout, [&] { return !is_writing_; })) {
    return {ORLOP_ERROR_STORAGE_BUSY,
            "another writer of this process held the store for " + seconds_of(settings_.lock_timeout)};
  }
  is_writing_ = true;
  const std::thread::id writer = std::this_thread::get_id();
  if (std::exchange(writer_, writer) != writer) turns_of_one_ = 0;
  else if (turns_of_one_ < turns_of_one_alone) ++turns_of_one_;
  return {};
}

void Pool::give_turn() {
  {
    const std::lock_guard lock(mutex_);
    is_writing_ = false;
  }
  turn_.notify_one();
}

void Pool::pass_turn() {
  {
    const std::lock_guard lock(mutex_);
    is_under_way_ = true;
    is_writing_ = false;
  }
  turn_.notify_one();
}

void Pool::land(bool is_kept) {
  {
    const std::lock_guard lock(mutex_);
    is_under_way_ = false;
    has_lost_commit_ = has_lost_commit_ || !is_kept;
  }
  landed_.notify_all();
}

bool Pool::has_landed() const {
  const std::lock_guard lock(mutex_);
  return !is_under_way_ && !has_lost_commit_;
}

Status Pool::settle(bool& is_kept) {
  std::unique_lock lock(mutex_);
  if (!landed_.wait_for(lock, settings_.lock_timeout, [&] { return !is_under_way_; })) {
    return {ORLOP_ERROR_STORAGE_BUSY,
            "the commit of another writer of this process was under way for " + seconds_of(settings_.lock_timeout)};
  }
  is_kept = !std::exchange(has_lost_commit_, false);
  if (!is_kept) reads_.lose();
  return {};
}

}  // namespace orlop::postgresql
