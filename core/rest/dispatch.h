// Answers requests: authentication, route, the checks that the route declares, the handler in one transaction, the
// reply for a refusal. A resource of another organization gives 404. A missing permission gives 403, whatever the body
// is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "commit/commit.h"
#include "endpoints/access/parts/sign_in.h"
#include "rest/exchange.h"
#include "rest/idempotency.h"
#include "rest/precondition.h"
#include "rest/rate_limit.h"
#include "rest/request_batch.h"
#include "rest/route.h"
#include "unit/operation.h"

namespace orlop {

class Dispatcher {
 public:
  // Called with the environments and clusters that have new work after a committed request.
  using Wake = std::function<void(std::span<const WakeUp> owners)>;
  // Does the rest of a job in separate commits (BulkJobs::finish).
  using Finish = std::function<void(const Id& job)>;
  // Answers GET /openapi.json.
  using Describe = std::function<std::string()>;

  // All arguments must outlive the dispatcher.
  Dispatcher(Store& store, Committer& committer, Clock& clock, RandomSource& random_source, const Settings& settings,
             Wake wake, Finish finish, Describe describe)
      : store_(store),
        committer_(committer),
        clock_(clock),
        random_source_(random_source),
        settings_(settings),
        wake_(std::move(wake)),
        finish_(std::move(finish)),
        describe_(std::move(describe)),
        limiter_(settings.rate_limit.value_or(0)) {}

  // Answers a request. A refusal is a reply; an error means that the engine could not answer. Safe on every thread.
  Result<Reply> dispatch(const Request& request);

  // Begins a batch. Waits for earlier writers.
  Result<std::unique_ptr<RequestBatch>> begin_batch();
  // Used by RequestBatch.
  Result<Reply> dispatch_in(RequestBatch& batch, const Request& request);
  Result<void> commit(RequestBatch& batch);
  // Shares the rate limit between the processes that share the store. Call it before any request.
  void share_rate_limit() { limiter_.share(reserve_with(committer_, limiter_.limit())); }

  // Returns the refusal of the request's credentials, or nullopt if they are valid or not required. Reads only the
  // headers and does not count against the rate limit. Safe on every thread.
  Result<std::optional<Reply>> authenticate(const Request& request);

 private:
  struct RequestContext {
    Caller caller;
    std::string author;
    std::optional<RateLimiter::Allowance> allowance;
  };
  // A request that may change the store.
  struct Change {
    const Route& route;
    const Call& call;
    const Error* fault = nullptr;  // error of parameters or body, returned only to callers with the permission
    std::string_view path;
    std::optional<Precondition> precondition;
    std::optional<KeyedRequest> keyed;
  };
  Result<void> identify(const Request& request, RequestContext& visitor);
  Result<void> sign_in(const Caller& person, const SignIn& sign_in);
  Result<void> note_use(Record digest);
  // `batch`: unit of the batch that the request belongs to; nullptr if there is no batch.
  Result<Answer> route(const Request& request, RequestContext& visitor, Unit* batch);
  Result<Answer> run_in_batch(Unit& batch, const Request& request, Change change);
  Result<Reply> reply_to(const Request& request, Result<Answer> answered, Reply blank);
  Result<Answer> run_read(const Route& route, const Call& call, const Error* fault);
  Result<Answer> run_change(const Request& request, Change change);
  Result<Answer> write_until_done(const Change& change);
  Result<Answer> apply_after_question(const Change& change, const Answer& answered);
  Result<std::optional<Answer>> read_kept_answer(const Change& change);
  Result<void> admit(const Change& change);
  // Sets `awaited_job` to the job that must be finished, or nil.
  Result<Answer> write_once(const Change& change, Id& awaited_job);
  static Result<Answer> handle_change(Unit& unit, const Change& change);
  static Result<Answer> handle_keyed(Unit& unit, const Change& change);
  Result<Answer> render_after(const Change& change, Answer answer);

  Store& store_;
  Committer& committer_;
  Clock& clock_;
  RandomSource& random_source_;
  const Settings& settings_;
  Wake wake_;
  Finish finish_;
  Describe describe_;
  RateLimiter limiter_;
};

}  // namespace orlop
