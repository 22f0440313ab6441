#include "read_cache.h"

#include <cstring>
#include <utility>

namespace orlop::postgresql {
namespace {

constexpr std::size_t bytes_max = 1 << 20;    // of all answers
constexpr std::size_t answer_max = 64 << 10;  // of one: what is larger is seldom asked for twice

bool same(const orlop_id& a, const orlop_id& b) { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0; }

std::string record_query(const orlop_id& id) {
  Parameters parameters;
  parameters.uuid(id);
  return query_of(Statement::record, parameters);
}

}  // namespace

std::string query_of(Statement statement, const Parameters& parameters) {
  const auto number = static_cast<std::uint16_t>(statement);
  std::string query(reinterpret_cast<const char*>(&number), sizeof number);
  parameters.append_to(query);
  return query;
}

void ReadCache::begin(std::int64_t number, const orlop_id& mark) {
  if (number != number_ || !same(mark, mark_)) clear();
  forget_what_ends();
  number_ = number;
  mark_ = mark;
  is_usable_ = true;
}

const Rows* ReadCache::find(const std::string& query) const {
  const auto found = is_usable_ ? answers_.find(query) : answers_.end();
  return found == answers_.end() ? nullptr : &found->second.rows;
}

void ReadCache::keep(std::string query, Statement statement, const Rows& rows) {
  const std::size_t size = query.size() + rows.size();
  if (!is_usable_ || size > answer_max) return;
  if (bytes_ + size > bytes_max) {
    answers_.clear();
    bytes_ = 0;
  }
  const bool is_record = statement == Statement::record && rows.count() == 1;
  bytes_ += size;
  answers_.insert_or_assign(std::move(query), Answer{rows, is_record || statement == Statement::leases});
}

void ReadCache::change(const orlop_changes& changes) {
  is_usable_ = false;
  forget_what_ends();
  const bool changes_leases = changes.coordination != nullptr && changes.coordination->lease_count != 0;
  if (changes_leases || changes.is_restore != 0) return clear();
  for (std::size_t at = 0; at < changes.erasure_count; ++at) answers_.erase(record_query(changes.erasures[at]));
  for (std::size_t at = 0; at < changes.record_count; ++at) answers_.erase(record_query(changes.records[at]->record->id));
}

void ReadCache::commit(std::int64_t number, const orlop_id& mark) {
  number_ = number;
  mark_ = mark;
}

void ReadCache::clear() {
  answers_.clear();
  bytes_ = 0;
  is_usable_ = false;
}

// What was read of anything but single records and leases may be changed by any change.
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
