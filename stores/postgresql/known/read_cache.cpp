#include "known/read_cache.h"

#include <utility>

namespace orlop::postgresql {
namespace {

constexpr std::size_t answer_bytes_max = 1 << 20;  // of all answers
constexpr std::size_t answer_max = 64 << 10;       // of one answer; larger ones are seldom needed twice

// If processes change the same rows all the time, failed validations cost more than waiting for each other.
constexpr int writers_after_a_wrong_one = 15;

// Commits of this process without one of another process in between, after which it counts as alone. What it reads from
// there on is known to be the state after the last of them.
constexpr int commits_of_one_alone = 8;

}  // namespace

std::string query_of(Statement statement, const Parameters& parameters) {
  const auto number = static_cast<std::uint16_t>(statement);
  std::string query(reinterpret_cast<const char*>(&number), sizeof number);
  parameters.append_to(query);
  return query;
}

void ReadCache::begin(std::int64_t number, const orlop_id& mark) {
  if (number != number_ || !same(mark, mark_)) {
    clear();
    ++chain_;
  }
  forget_what_ends();
  rows_.forget_changes();
  number_ = number;
  mark_ = mark;
  is_usable_ = true;
}

bool ReadCache::begin_optimistic() {
  if (distrusted_ != 0) {
    --distrusted_;
    return false;
  }
  forget_what_ends();
  rows_.forget_changes();
  is_usable_ = true;
  return true;
}

void ReadCache::distrust() {
  clear();
  distrusted_ = writers_after_a_wrong_one;
}

const Rows* ReadCache::find(const std::string& query) const {
  const auto found = is_usable_ ? answers_.find(query) : answers_.end();
  return found == answers_.end() ? nullptr : &found->second.rows;
}

void ReadCache::keep(std::string query, Statement statement, const Rows& rows) {
  const std::size_t size = query.size() + rows.size();
  if (!is_usable_ || size > answer_max) return;
  if (bytes_ + size > answer_bytes_max) {
    answers_.clear();
    bytes_ = 0;
  }
  bytes_ += size;
  answers_.insert_or_assign(std::move(query), Answer{rows, statement == Statement::leases});
}

void ReadCache::change(const orlop_changes& changes) {
  is_usable_ = false;
  forget_what_ends();
  const bool changes_leases = changes.coordination != nullptr && changes.coordination->lease_count != 0;
  if (changes_leases) {
    answers_.clear();
    bytes_ = 0;
  }
  rows_.change(changes);
}

void ReadCache::has_changed() {
  rows_.commit();
  is_usable_ = number_ != 0;
}

void ReadCache::commit(std::int64_t number, const orlop_id& mark) {
  // If another process has committed in between, the rows are not the state after any commit: only an optimistic writer
  // may use them.
  number_ = number == number_ + 1 ? number : 0;
  mark_ = mark;
  in_a_row_ = number == last_own_ + 1 ? in_a_row_ + 1 : 1;
  last_own_ = number;
  if (number_ != 0 || in_a_row_ < commits_of_one_alone) return;
  clear();  // earlier rows may have been changed meanwhile
  number_ = number;
  ++chain_;
}

void ReadCache::clear() {
  rows_.clear();
  rows_.forget_changes();
  answers_.clear();
  bytes_ = 0;
  is_usable_ = false;
}

void ReadCache::lose() {
  distrust();
  number_ = 0;
  last_own_ = 0;
  in_a_row_ = 0;
  last_event_ = nullptr;
}

// Any change may affect answers other than rows and leases.
void ReadCache::forget_what_ends() {
  bytes_ = 0;
  for (auto at = answers_.begin(); at != answers_.end();) {
    if (!at->second.outlives_writer) {
      at = answers_.erase(at);
      continue;
    }
    bytes_ += at->first.size() + at->second.rows.size();
    ++at;
  }
}

}  // namespace orlop::postgresql
