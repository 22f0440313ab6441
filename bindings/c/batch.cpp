// Batches of requests. The thread of an open batch may not use its engine in another way.
#include "orlop/batch.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "guard.h"
#include "held_batch.h"
#include "instance.h"
#include "request_of.h"
#include "rest/request_batch.h"
#include "tables.h"

using namespace orlop;
using namespace orlop::c;

namespace orlop::c {

HeldBatch::HeldBatch(std::shared_ptr<Instance> host, std::unique_ptr<RequestBatch> batch)
    : host_(std::move(host)), batch_(std::move(batch)), thread_(std::this_thread::get_id()) {
  host_->note_batch(thread_);
}

HeldBatch::~HeldBatch() { end(); }

void HeldBatch::end() {
  const std::lock_guard lock(mutex_);
  if (batch_ == nullptr) return;
  batch_.reset();
  host_->forget_batch(thread_);
}

Result<RequestBatch*> HeldBatch::use() {
  if (thread_ != std::this_thread::get_id()) return misuse("a batch is used on the thread that began it");
  if (batch_ == nullptr) return misuse("the batch has ended; begin another one");
  if (!host_->has_handles())
    return make_error(ErrorCode::closed, "the engine of the batch was closed; nothing of the batch was stored");
  return batch_.get();
}

}  // namespace orlop::c

extern "C" {

orlop_error* orlop_batch_begin(orlop_batch** batch, orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    if (batch == nullptr) return misuse("the out parameter for the batch must not be NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(begun, host->engine().begin_batch());
    *batch = batches().add(std::make_shared<HeldBatch>(host->shared_from_this(), std::move(begun)));
    return {};
  });
}

orlop_error* orlop_batch_dispatch(orlop_reply** reply, orlop_batch* batch, const orlop_request* request) {
  return guard([&]() -> Result<void> {
    if (reply == nullptr) return misuse("the out parameter for the reply must not be NULL");
    ORLOP_TRY(held, batches().find(batch));
    ORLOP_TRY(open, held->use());
    ORLOP_TRY(given, read_request(request));
    std::string joined;
    ORLOP_TRY(answered, open->dispatch(request_of(given, joined)));
    *reply = replies().add(std::make_shared<HeldReply>(std::move(answered)));
    return {};
  });
}

orlop_error* orlop_batch_commit(orlop_batch* batch) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(held, batches().find(batch));
    auto open = held->use();
    if (!open && open.error().code == ErrorCode::misuse) return std::move(open).error();
    const Result<void> committed = open ? (*open)->commit() : Result<void>(open.error());
    held->end();
    return committed;
  });
}

void orlop_batch_free(orlop_batch* batch) {
  if (batch == nullptr) return;
  guard_or(0, [&] { return batches().take(batch).ok() ? 1 : 0; });
}

}  // extern "C"
