#include "store/refusal.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace orlop {

Error record_lost(const Id& id) {
  return make_error(ErrorCode::lost_update,
                    "record " + to_text(id) + " was changed by another transaction since it was read");
}

Error machine_lost(const Id& id) {
  return make_error(ErrorCode::lost_update,
                    "machine " + to_text(id) + " was changed by another transaction since it was read");
}

Error name_taken() { return make_error(ErrorCode::conflict, "the name is already taken"); }

Error revision_does_not_follow() {
  return make_error(ErrorCode::misuse, "a record's revision must be one above the revision it was made from");
}

bool may_put(const RecordWrite& write, const Changes& changes) {
  if (changes.is_restore) return write.expected_revision == 0 && write.record.revision != 0;
  return write.record.revision == write.expected_revision + 1;
}

Error machine_revision_is_zero() { return make_error(ErrorCode::misuse, "a machine's revision starts at 1"); }

Error read_only_transaction() { return make_error(ErrorCode::misuse, "a read transaction takes no changes"); }

Error lease_lost(std::uint8_t partition) {
  return make_error(ErrorCode::lease_lost, "another engine has taken over partition " + std::to_string(partition) +
                                               " since the change was decided");
}

Error not_shared() { return make_error(ErrorCode::misuse, "one engine uses this store alone"); }

Error ended_transaction() { return make_error(ErrorCode::misuse, "the transaction has ended"); }

bool is_decided(const Result<void>& outcome) {
  static constexpr ErrorCode of_the_store[] = {ErrorCode::storage_failed, ErrorCode::storage_busy,
                                               ErrorCode::out_of_memory, ErrorCode::lost_update};
  return outcome || std::ranges::find(of_the_store, outcome.error().code) == std::end(of_the_store);
}

}  // namespace orlop
