#include "tables.h"

#include <pthread.h>

#include "store/fork.h"

namespace orlop::c {
namespace {

// Holds an object and never destroys it.
template <typename T>
union Kept {
  T object;
  constexpr Kept(const char* kind, bool bound_to_process) : object(kind, bound_to_process) {}
  ~Kept() {}
};

constinit Kept<EngineTable> kept_engines("engine", true);
constinit Kept<EngineReferenceTable> kept_engine_references("engine", true);
constinit Kept<ReplyTable> kept_replies("reply", false);
constinit Kept<BufferTable> kept_buffers("buffer", false);
constinit Kept<FeedTable> kept_feeds("feed", false);
constinit Kept<BatchTable> kept_batches("batch", true);
constinit Kept<ErrorTable> kept_errors("error", false);

constinit std::atomic<std::uint32_t> forks = 0;

void before_fork() {
  before_store_fork();
  engines().allocation().lock();
  engine_references().allocation().lock();
  replies().allocation().lock();
  buffers().allocation().lock();
  feeds().allocation().lock();
  batches().allocation().lock();
  errors().allocation().lock();
}

void release_tables() {
  errors().allocation().unlock();
  batches().allocation().unlock();
  feeds().allocation().unlock();
  buffers().allocation().unlock();
  replies().allocation().unlock();
  engine_references().allocation().unlock();
  engines().allocation().unlock();
}

void after_fork_in_parent() {
  release_tables();
  after_store_fork(false);
}

void after_fork_in_child() {
  ++forks;
  release_tables();
  after_store_fork(true);
}

[[maybe_unused]] const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

std::uint32_t process_number() { return forks.load(std::memory_order_relaxed); }

EngineTable& engines() { return kept_engines.object; }
EngineReferenceTable& engine_references() { return kept_engine_references.object; }
ReplyTable& replies() { return kept_replies.object; }
BufferTable& buffers() { return kept_buffers.object; }
FeedTable& feeds() { return kept_feeds.object; }
BatchTable& batches() { return kept_batches.object; }
ErrorTable& errors() { return kept_errors.object; }

}  // namespace orlop::c
