#include "store/sqlite/rows/known_rows.h"

namespace orlop {
namespace {

constexpr std::size_t text_max = 4096;

}  // namespace

void SqliteKnownRows::know(const Shared<Record>& record) {
  if (record->body.size() + record->secrets.size() <= text_max) put_into(rows().records, record);
  else drop_record(record->id);
}

void SqliteKnownRows::forget() noexcept {
  ++generation_;
  feed_end_.reset();
}

}  // namespace orlop
