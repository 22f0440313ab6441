// What the writers of this process have read: a writer asks no question twice, and rows that were read or written
// before are not read again as long as no other process has committed. Writers of all processes wait for each other, so
// that what was read in one stands until it changes it. Optimistic ones do not wait: they go on with what is known,
// also after commits of other processes, and validate it.
//
// Used by the writer whose turn it is, by no other thread.
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
  // A writer begins after the commit with this mark. What was read before another one is forgotten.
  void begin(std::int64_t number, const orlop_id& mark);
  // An optimistic writer begins: what is known may have been changed since, and is validated before anything follows
  // from it. False: it is better not to be one, for some before it had to be run again.
  bool begin_optimistic();
  // An optimistic writer was wrong.
  void distrust();
  // What the query has answered; nullptr: it is to be asked.
  const Rows* find(const std::string& query) const;
  void keep(std::string query, Statement statement, const Rows& rows);
  // The writer is about to change this; has_changed(): the server has taken it. Until a commit, what is known holds the
  // changes then, or is read in the server if others may have changed more; clear(), where they are undone.
  void change(const orlop_changes& changes);
  void has_changed();
  // The writer has committed its changes under this mark; number 0: it is not known which.
  void commit(std::int64_t number, const orlop_id& mark);
  // Of the last commit of which all is known here; 0: there are later ones of other processes.
  std::int64_t number() const { return number_; }
  const orlop_id& mark() const { return mark_; }  // of that commit
  // The commits up to that one, as far as each was the next one after the one before; another number for those after a
  // commit that is not known here. 0: none.
  std::uint64_t chain() const { return number_ == 0 ? 0 : chain_; }
  // Whether there was such a commit: it is not the last one any more.
  bool forget_number() { return std::exchange(number_, 0) != 0; }
  // The newest event that is known; nullptr: none. There may be later ones of other processes.
  const std::shared_ptr<const KeptEvent>& last_event() const { return last_event_; }
  void keep_last_event(std::shared_ptr<const KeptEvent> event) { last_event_ = std::move(event); }
  void clear();
  // What was taken to be committed is not.
  void lose();
  // Also of what may be no longer so.
  const RowCache* last_rows() const { return &rows_; }
  // nullptr: what is known may be no longer so.
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
  std::int64_t last_own_ = 0;  // commit of this process, 0: it is not known
  int in_a_row_ = 0;           // commits of this process up to it, without another one in between
  int distrusted_ = 0;         // so many writers are not optimistic
};

// The key of a query.
std::string query_of(Statement statement, const Parameters& parameters);

}  // namespace orlop::postgresql
