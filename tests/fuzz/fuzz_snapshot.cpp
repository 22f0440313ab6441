// A changed snapshot: it is refused and the store stays empty, or an engine opens that answers requests and ticks.
#include "fuzz/fixture.h"
#include "snapshot/snapshot.h"
#include "store/open.h"

using namespace orlop;
using fuzz::Input;
using fuzz::require;

namespace {

// Returns the begin of a line of the text, and its size with the line's end.
std::pair<std::size_t, std::size_t> line_of(const std::string& text, Input& input) {
  std::size_t at = input.below(text.size());
  while (at > 0 && text[at - 1] != '\n') --at;
  return {at, std::min(text.find('\n', at), text.size() - 1) - at + 1};
}

void change(std::string& text, Input& input) {
  constexpr std::string_view frequent = "{}[]\",:\n0123456789-.etfn\\u";
  const auto [at, size] = line_of(text, input);
  const std::size_t place = at + static_cast<std::size_t>(input.below(size));
  switch (input.below(9)) {
    case 0: text.erase(at, size); break;
    case 1: text.insert(at, text, at, size); break;
    case 2: text.resize(place); break;
    case 3: text.insert(place, 1, input.one_of(frequent)); break;
    case 4: text.erase(place, 1 + input.below(12)); break;
    case 5: text.insert(place, input.text(8)); break;
    default: {
      // Replaces one digit: in states, revisions, counts.
      const std::size_t digit = text.find_first_of("0123456789", place);
      if (digit != std::string::npos) text[digit] = static_cast<char>('0' + input.below(10));
    }
  }
  if (text.empty()) text = "\n";
}

void ask(fuzz::Fixture& fixture, Platform& platform, const Route& route) {
  const std::string path = platform.path_of(route);
  Request request;
  request.method = to_string(route.operation.method);
  request.path = path;
  (void)fixture.engine().dispatch(request);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  std::string text = fuzz::sample_snapshot();
  for (std::uint64_t changes = 1 + input.below(3); changes > 0; --changes) change(text, input);
  fuzz::Fixture fixture(text);
  if (!fixture.is_open()) {
    const auto reading = fixture.store().begin(Access::read);
    const std::string& why = fixture.refusal().message;
    bool is_empty = (*reading)->feed_end()->sequence == 0;
    require((*reading)->records({}, [&](const Record&) { return is_empty = false; }).ok(), "the store can be read",
            why);
    const bool is_refused = fixture.refusal().code == ErrorCode::invalid && is_empty;
    // A snapshot that can be read may hold contents with which the engine cannot begin.
    require(is_refused || fixture.refusal().code == ErrorCode::storage_corrupt,
            "a bad snapshot is refused and leaves nothing", why);
    return 0;
  }
  Platform platform(fixture.engine(), fuzz::sample_platform());
  for (std::uint64_t requests = input.below(20); requests > 0; --requests)
    ask(fixture, platform, input.one_of(all_routes()));
  fixture.pass(8);
  return 0;
}
