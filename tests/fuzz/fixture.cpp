#include "fuzz/fixture.h"

#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "snapshot/snapshot.h"
#include "store/open.h"

namespace orlop::fuzz {
namespace {

struct Sample {
  Sample() : fixture(""), platform(fixture.engine()) {
    platform.make_all();
    const std::string environment = "/environment/" + platform.id_of("environment");
    platform.ask("POST", environment + "/deploy");
    platform.ask("POST", environment + "/deploy");
    snapshot = *fixture.engine().snapshot();
  }
  Fixture fixture;
  Platform platform;
  std::string snapshot;
};

const Sample& sample() {
  static const Sample made;
  return made;
}

}  // namespace

const std::string& sample_snapshot() { return sample().snapshot; }
const Platform& sample_platform() { return sample().platform; }

Fixture::Fixture(std::string_view snapshot) : store_(open_memory_store()) {
  EngineOptions options;
  options.clock = &clock_;
  options.random_source = &random_source_;
  options.settings.require_cluster = false;
  options.store = store_;
  options.snapshot = snapshot;
  auto opened = Engine::open(std::move(options));
  if (opened) engine_ = std::move(*opened);
  else refusal_ = opened.error();
}

void Fixture::pass(std::uint64_t ticks) {
  for (; ticks > 0; --ticks) {
    const auto wanted = engine_->tick();
    if (!wanted || !*wanted) return;
    clock_.move_to(**wanted);
  }
}

// A snapshot without its header and the count of ids of its last event: a commit that begins a deletion gives ids
// without an event, and a restore counts them.
std::string comparable(const std::string& snapshot) {
  std::string text = snapshot.substr(snapshot.find('\n'));
  const std::size_t count = text.rfind(",\"id_count\":");
  if (count != std::string::npos) text.erase(count, text.find_first_of(",}", count + 1) - count);
  return text;
}

void require_whole(Fixture& fixture, std::string_view after) {
  const auto reading = fixture.store().begin(Access::read);
  require(reading.ok(), "the store can be read", after);
  std::vector<Id> parents = {Id{}};
  std::vector<Id> all;
  while (!parents.empty()) {
    RecordRange range;
    range.key = parents.back();
    parents.pop_back();
    require((*reading)
                ->records(
                    range,
                    [&](const Record& record) { return parents.push_back(record.id), all.push_back(record.id), true; })
                .ok(),
            "the records can be read", after);
  }
  for (const Id& id : all) {
    const auto links = (*reading)->links(id);
    require(links.ok(), "links can be read", after);
    for (const Id& target : links->references)
      require((*(*reading)->record(target)).has_value(), "a reference leads to a record", after);
  }
  const auto snapshot = fixture.engine().snapshot();
  require(snapshot.ok(), "a snapshot can be taken", after);
  Fixture copy(*snapshot);
  require(copy.is_open(), "a snapshot can be restored", copy.refusal().message);
  const auto again = copy.engine().snapshot();
  require(again.ok() && comparable(*again) == comparable(*snapshot), "a restored store is the same", after);
}

}  // namespace orlop::fuzz
