// The seven tables of handles. They exist before any constructor runs and are never destroyed: a host may use handles
// in its static objects, and threads that still run at the end of the process may use an engine that was left open.
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

// A reply, and the values that were found in it.
struct HeldReply {
  HeldReply() = default;
  explicit HeldReply(Reply given) : reply(std::move(given)) {}

  Reply reply;                                            // constant once the handle was returned
  std::mutex mutex;                                       // guards `found`
  std::map<std::string, std::string, std::less<>> found;  // by JSON Pointer
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
