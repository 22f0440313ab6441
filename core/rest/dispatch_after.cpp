// Further transactions of a request: the sign-in before it; after it, the answer of external systems and the result of
// a job.
#include <utility>

#include "access/tenant_filter.h"
#include "rest/dispatch.h"
#include "rest/request_subject.h"
#include "rest/tenancy.h"
#include "unit/unit.h"

namespace orlop {

// Checks in a read transaction first: most sign-ins change nothing.
Result<void> Dispatcher::sign_in(const Caller& person, const SignIn& sign_in) {
  {
    ORLOP_TRY(opened, store_.begin(Access::read));
    ORLOP_TRY(transaction, for_caller(Caller(), std::move(opened)));
    Unit unit(*transaction, random_source_, {}, clock_.now(), settings_);
    ORLOP_TRY(differs, follow_groups(unit, person, sign_in, true));
    if (!differs) return {};
  }
  const auto done = committer_.run_repeatable(Caller(), [&](Unit& unit) -> Result<void> {
    unit.set_author(person.name);
    const auto followed = follow_groups(unit, person, sign_in, false);
    return followed ? Result<void>() : Result<void>(followed.error());
  });
  return done ? Result<void>() : Result<void>(done.error());
}

// Stores the answer of external systems in a separate transaction. If two requests with one idempotency key ask at the
// same time, the second one gets the answer that the first one has stored.
Result<Answer> Dispatcher::apply_after_question(const Change& change, const Answer& answered) {
  Answer answer;
  const Committer::Work work = [&](Unit& unit) -> Result<void> {
    unit.set_author(change.call.author);
    if (change.keyed) {
      ORLOP_TRY(kept, find_kept_answer(unit, *change.keyed));
      if (kept) {
        answer = std::move(*kept);
        return {};
      }
    }
    ORLOP_TRY(subject, subject_of(unit, change.route, change.call));
    ORLOP_TRY(made, answered.apply(unit));
    if (change.keyed) ORLOP_CHECK(keep_answer(unit, *change.keyed, subject ? &*subject : nullptr, made));
    answer = std::move(made);
    return {};
  };
  ORLOP_TRY(woken, committer_.run_repeatable(tenant_filter_of(change.route, change.call), work));
  if (!woken.empty()) wake_(woken);
  return answer;
}

Result<Answer> Dispatcher::render_after(const Change& change, Answer answer) {
  {
    ORLOP_TRY(opened, store_.begin(Access::read));
    ORLOP_TRY(transaction, for_caller(tenant_filter_of(change.route, change.call), std::move(opened)));
    ORLOP_TRY(now, committer_.time_of(*transaction));
    Unit unit(*transaction, random_source_, {}, now, settings_);
    unit.use_agreed_time(committer_.agreed_time());
    ORLOP_TRY(text, answer.render(unit));
    answer.body = std::move(text);
  }
  if (!change.keyed) return answer;
  ORLOP_TRY(woken, committer_.run_repeatable(tenant_filter_of(change.route, change.call), [&](Unit& unit) {
    return complete_kept_answer(unit, *change.keyed, answer);
  }));
  (void)woken;
  return answer;
}

}  // namespace orlop
