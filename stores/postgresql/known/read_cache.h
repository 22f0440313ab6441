// Answers that the writers of this process have read: a writer runs no query twice, and rows that were read or written
// are not read again as long as no other process has committed. Writers of all processes exclude each other, so rows
// that one has read stay unchanged until it changes them. Optimistic writers do not wait: they use the cached rows,
// also after commits of other processes, and validate them.
//
// Used only by the writer whose turn it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "known/row_cache.h"
#include "orlop/storage.h"
#include "server/statements.h"
#include "server/values.h"

namespace orlop::postgresql {

class ReadCache {
 public:
  // A writer begins after the commit with this mark. Clears what was read after another commit.
  void begin(std::int64_t number, const orlop_id& mark);
  // An optimistic writer begins: cached rows may be outdated, and are validated before they have any effect. Returns
  // false if it should not be optimistic, because a recent one had to run again.
  bool begin_optimistic();
  // An optimistic writer has read outdated rows.
  void distrust();
  // Returns the answer of the query; null if it must be run.
  const Rows* find(const std::string& query) const;
  void keep(std::string query, Statement statement, const Rows& rows);
  // change(): the writer is about to make these changes; has_changed(): the server has accepted them. Until the commit
  // the cache then includes the changes, or is not used if others may have changed more. clear() after a rollback.
  void change(const orlop_changes& changes);
  void has_changed();
  // The writer has committed its changes under this mark. Number 0: its number is unknown.
  void commit(std::int64_t number, const orlop_id& mark);
  // Returns the number of the last commit whose whole state is known; 0 if other processes may have committed later.
  std::int64_t number() const { return number_; }
  const orlop_id& mark() const { return mark_; }  // of that commit
  // Returns the chain of consecutive known commits that ends with that one; the number changes after an unknown commit.
  // 0 if there is no such commit.
  std::uint64_t chain() const { return number_ == 0 ? 0 : chain_; }
  // Called when that commit is not the last one any more. Returns whether there was one.
  bool forget_number() { return std::exchange(number_, 0) != 0; }
  // Returns the newest known event; null if none. Other processes may have added later ones.
  const std::shared_ptr<const KeptEvent>& last_event() const { return last_event_; }
  void keep_last_event(std::shared_ptr<const KeptEvent> event) { last_event_ = std::move(event); }
  void clear();
  // A commit that was assumed to succeed has failed.
  void lose();
  // Returns the rows, even if they may be outdated.
  const RowCache* last_rows() const { return &rows_; }
  // Returns the rows; null if they may be outdated.
  RowCache* rows() { return is_usable_ ? &rows_ : nullptr; }

 private:
  struct Answer {
    Rows rows;
    bool outlives_writer = false;
  };
  void forget_what_ends();

  RowCache rows_;
  std::unordered_map<std::string, Answer> answers_;
  std::size_t bytes_ = 0;  // of all answers
  bool is_usable_ = false;
  std::int64_t number_ = 0;  // of the last commit
  orlop_id mark_{};
  std::uint64_t chain_ = 1;
  std::shared_ptr<const KeptEvent> last_event_;
  std::int64_t last_own_ = 0;  // number of the last commit of this process; 0 if unknown
  int in_a_row_ = 0;           // consecutive commits of this process up to it
  int distrusted_ = 0;         // number of the next writers that are not optimistic
};

// Returns the key of a query.
std::string query_of(Statement statement, const Parameters& parameters);

}  // namespace orlop::postgresql
