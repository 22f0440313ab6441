// A store that another program has written to: with any bytes in a body, in secrets or in a machine, the engine answers
// or refuses.
#include <iterator>

#include "fuzz/fixture.h"

using namespace orlop;
using fuzz::Input;
using fuzz::require;

namespace {

void spoil(std::string& text, Input& input) {
  const std::size_t at = static_cast<std::size_t>(input.below(text.size() + 1));
  switch (input.below(7)) {
    case 0: text.clear(); break;
    case 1: text.resize(at); break;
    case 2: text.insert(at, input.text(12)); break;
    case 3: text = "{}"; break;
    case 4: text = "[" + text + "]"; break;
    case 5: text.erase(at, 1 + input.below(20)); break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(input.below(256));
  }
}

// Changes one record or machine and writes it back.
void spoil_one(Store& store, Input& input) {
  auto writing = store.begin(Access::write);
  std::vector<Record> records;
  std::vector<Id> parents = {Id{}};
  while (!parents.empty()) {
    RecordRange range;
    range.key = parents.back();
    parents.pop_back();
    require((*writing)
                ->records(
                    range,
                    [&](const Record& record) { return parents.push_back(record.id), records.push_back(record), true; })
                .ok(),
            "walk");
  }
  Record record = input.one_of(records);
  const Shared<Machine> stored = *(*writing)->machine(record.id);
  Machine machine = stored ? *stored : Machine{};
  const auto links = *(*writing)->links(record.id);
  if (stored && input.in(2)) {
    machine.state = static_cast<std::uint8_t>(input.below(40));
    machine.action = static_cast<std::uint8_t>(input.below(12));
    machine.step_kind = static_cast<std::uint8_t>(input.below(30));
    machine.freshness = static_cast<std::uint8_t>(input.below(6));
    machine.active = !input.in(3);
    spoil(input.in(2) ? machine.detail.edit().reason : machine.detail.edit().outputs, input);
  } else {
    spoil(input.in(4) ? record.secrets : record.body, input);
  }
  Changes changes;
  changes.is_restore = true;
  changes.erasures = {record.id};
  changes.records = {{record, 0, links.name_key, links.references}};
  if (stored) changes.machines = {machine};
  require((*writing)->apply(changes).ok() && (*writing)->commit().ok(), "the store takes anything");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  fuzz::Fixture fixture(fuzz::sample_snapshot());
  for (std::uint64_t count = 1 + input.below(2); count > 0; --count) spoil_one(fixture.store(), input);
  Platform platform(fixture.engine(), fuzz::sample_platform());
  for (std::uint64_t requests = 4 + input.below(12); requests > 0; --requests) {
    const Route& route = input.one_of(all_routes());
    const std::string path = platform.path_of(route);
    Request request;
    request.method = to_string(route.operation.method);
    request.path = path;
    request.body = route.operation.method == Method::put ? R"({"name":"renamed"})" : "";
    (void)fixture.engine().dispatch(request);
  }
  fixture.pass(6);
  (void)fixture.engine().snapshot();
  return 0;
}
