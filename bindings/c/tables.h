// The seven tables of handles. They are there before any constructor runs and stay when the process ends: a host may
// use its handles from its own static objects, and an engine that was left open is not torn down under the threads that
// still run.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "engine.h"
#include "engine_reference.h"
#include "handles.h"
#include "orlop/batch.h"
#include "orlop/feed.h"
#include "orlop/orlop.h"

namespace orlop::c {

class Instance;
struct HeldFeed;
class HeldBatch;

// A reply, and what was looked up in it.
struct HeldReply {
  HeldReply() = default;
  explicit HeldReply(Reply given) : reply(std::move(given)) {}

  Reply reply;                                            // not changed once the handle is given out
  std::mutex mutex;                                       // guards the one below
  std::map<std::string, std::string, std::less<>> found;  // by pointer
};

using EngineTable = HandleTable<orlop_engine, Instance, 0x4F01>;
using EngineReferenceTable = HandleTable<orlop_engine, EngineReference, 0x4F05>;
using ReplyTable = HandleTable<orlop_reply, HeldReply, 0x4F02>;
using BufferTable = HandleTable<orlop_buffer, std::string, 0x4F03>;
using FeedTable = HandleTable<orlop_feed, HeldFeed, 0x4F06>;
using BatchTable = HandleTable<orlop_batch, HeldBatch, 0x4F07>;
using ErrorTable = HandleTable<orlop_error, Error, 0x4F04>;

EngineTable& engines();
EngineReferenceTable& engine_references();
ReplyTable& replies();
BufferTable& buffers();
FeedTable& feeds();
BatchTable& batches();
ErrorTable& errors();

}  // namespace orlop::c
