#include "rest/request_batch.h"

#include <utility>

#include "external_systems/question.h"
#include "rest/dispatch.h"
#include "rest/idempotency.h"
#include "rest/precondition.h"
#include "rest/request.h"

namespace orlop {
namespace {

constexpr std::size_t path_shown_max = 200;

Error not_in_batch(const std::string& reason) {
  return make_error(ErrorCode::conflict, "the request cannot be part of a batch: " + reason);
}

}  // namespace

Result<void> RequestBatch::require_open() const {
  if (has_ended_) return make_error(ErrorCode::misuse, "the batch has ended; begin another one");
  if (!failure_.empty()) return make_error(ErrorCode::conflict, failure_);
  return {};
}

// Ends the transaction, so that other writers do not wait for a batch that cannot be committed.
void RequestBatch::fail(const Request& request, const std::string& reason) {
  failure_ = "nothing of the batch was stored: its request " + std::to_string(requests_) + ", " +
             std::string(request.method) + " " + std::string(request.path.substr(0, path_shown_max)) + ", " + reason;
  writing_.unit.reset();
  writing_.transaction.reset();
}

Result<Reply> RequestBatch::dispatch(const Request& request) {
  ORLOP_CHECK(require_open());
  const bool is_host = request.trust == Trust::host && header_of(request, "authorization").empty();
  if (!is_host)
    return make_error(
        ErrorCode::misuse,
        "a request of a batch is the host's own: it has no Authorization header, and does not come from outside");
  ++requests_;
  auto reply = dispatcher_.dispatch_in(*this, request);
  if (!reply) {
    fail(request, "failed: " + reply.error().message);
  } else if (reply->status >= 400 && request.method != "GET") {
    fail(request, "was refused with " + std::to_string(reply->status));
  }
  return reply;
}

Result<void> RequestBatch::commit() {
  ORLOP_CHECK(require_open());
  has_ended_ = true;
  auto committed = dispatcher_.commit(*this);
  writing_.unit.reset();
  writing_.transaction.reset();
  return committed;
}

Result<std::unique_ptr<RequestBatch>> Dispatcher::begin_batch() {
  auto batch = std::make_unique<RequestBatch>(*this);
  ORLOP_CHECK(committer_.begin(Caller(), batch->writing_));
  return batch;
}

Result<void> Dispatcher::commit(RequestBatch& batch) {
  ORLOP_TRY(woken, committer_.commit(batch.writing_));
  if (!woken.empty()) wake_(woken);
  return {};
}

// Refuses requests that one commit cannot hold: jobs of several commits, and questions to ports.
Result<Answer> Dispatcher::run_in_batch(Unit& batch, const Request& request, Change change) {
  ORLOP_TRY(precondition, precondition_of(request));
  change.precondition = std::move(precondition);
  const bool is_write = change.route.operation.access == Access::write;
  if (is_write) {
    ORLOP_TRY(keyed, keyed_request(request, *change.call.caller));
    change.keyed = std::move(keyed);
    const ExternalSystems* systems = settings_.external_systems;
    if (systems != nullptr && systems->answers(facts_of(Question::admit).name))
      return not_in_batch("external systems admit each change");
  }
  batch.set_author(change.call.author);
  ORLOP_TRY(answer, change.keyed ? handle_keyed(batch, change) : handle_change(batch, change));
  if (answer.ask) return not_in_batch("external systems answer it");
  if (!batch.jobs().empty() || !batch.awaited_job().is_nil()) return not_in_batch("it is done in several commits");
  if (!answer.render || answer.is_kept) return answer;
  ORLOP_TRY(text, answer.render(batch));
  answer.body = std::move(text);
  answer.render = nullptr;
  return answer;
}

}  // namespace orlop
