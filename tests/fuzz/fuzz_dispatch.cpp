// Requests made of real routes, real ids and changed samples: no answer is a 5xx but 501, all are JSON, and the store
// stays valid.
#include <algorithm>

#include "base/text/utf8.h"
#include "fuzz/fixture.h"
#include "model/registry.h"
#include "wire/json.h"
#include "wire/writer.h"

using namespace orlop;
using fuzz::Input;
using fuzz::require;

namespace {

constexpr std::string_view unknown_id = "0198c0de-0000-7000-8000-000000000001";

Value odd_value(Input& input) {
  switch (input.below(14)) {
    case 0: return Value();
    case 1: return Value(true);
    case 2: return Value(std::int64_t{0});
    case 3: return Value(std::int64_t{-1});
    case 4: return Value(std::int64_t{INT64_MAX});
    case 5: return Value(1e308);
    case 6: return Value("");
    case 7: return Value(std::string(70'000, 'x'));
    case 8: return Value(std::string("a\0\x1F\x7F\xF0\x9F\x9A\x80", 8));
    case 9: return Value(to_utf8(input.text(40)));
    case 10: return Value(unknown_id);
    case 11: return Value::list();
    case 12: return Value::object();
    default: return Value("P1D");
  }
}

// Changes one part of the value, at any depth.
void change(Value& value, Input& input) {
  if (value.is_object() && !value.members().empty() && !input.in(4)) {
    Value::Object& members = value.members();
    const std::size_t at = static_cast<std::size_t>(input.below(members.size()));
    if (input.in(5)) members.erase(members.begin() + static_cast<std::ptrdiff_t>(at));
    else if (input.in(6)) value.set("unknown", odd_value(input));
    else change(members[at].value, input);
    return;
  }
  if (value.is_list() && !value.items().empty() && !input.in(4)) {
    Value::List& items = value.items();
    if (input.in(4)) items.push_back(items.front());
    else change(items[static_cast<std::size_t>(input.below(items.size()))], input);
    return;
  }
  value = odd_value(input);
}

std::string sample_body(const Route& route, Platform& platform, Input& input) {
  const Family& family = route.family == nullptr || input.in(8) ? *input.one_of(all_families()) : *route.family;
  Value body = platform.sample_of(family);
  if (input.in(3)) body.set("name", Value("another " + std::to_string(input.below(3))));
  for (std::uint64_t changes = input.below(4); changes > 0; --changes) change(body, input);
  std::string text = to_json(body);
  if (input.in(10)) text.resize(static_cast<std::size_t>(input.below(text.size() + 1)));
  if (input.in(12)) text = input.text(200);
  return text;
}

std::string target_of(const Route& route, Platform& platform, Input& input) {
  std::string path = platform.path_of(route);
  if (input.in(6)) {
    // An id of another family, an id without a record, or an invalid id.
    const std::string other = input.in(3)   ? std::string(unknown_id)
                              : input.in(3) ? "x"
                                            : platform.id_of(*input.one_of(all_families()));
    const std::size_t at = path.find("/01");
    if (at != std::string::npos) path.replace(at + 1, std::min<std::size_t>(36, path.size() - at - 1), other);
  }
  constexpr std::string_view queries[] = {
      "page=1", "page=0", "page_size=1000&page=2", "page=x",    "deleteMode=DELETE_FORCE", "forceEvent=CRON",
      "%zz",    "a=%00",  "page=1&page=2",         "startId=0", "stepBackToken=1",         "=&&="};
  if (input.in(4)) path.append("?").append(input.one_of(queries));
  return path;
}

void check(const Reply& reply, std::string_view what) {
  // 501: no external system answers the question.
  require((reply.status >= 200 && reply.status < 500) || reply.status == 501, "no answer is a 5xx but 501",
          std::string(what) + "\n" + reply.body);
  const auto type =
      std::ranges::find_if(reply.headers, [](const auto& header) { return header.first == "content-type"; });
  if (reply.body.empty() || type == reply.headers.end() || type->second != "application/json") return;
  const auto body = parse_stored(reply.body);
  require(body.ok(), "an answer is JSON", std::string(what) + "\n" + reply.body);
  if (reply.status >= 400)
    require(body->has("message") && body->integer_or("status", 0) == reply.status, "an error has its form", reply.body);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  fuzz::Fixture fixture(fuzz::sample_snapshot());
  require(fixture.is_open(), "the sample opens", fixture.refusal().message);
  Platform platform(fixture.engine(), fuzz::sample_platform());
  std::string entry;
  for (std::uint64_t requests = 1 + input.below(12); requests > 0; --requests) {
    const Route& route = input.one_of(all_routes());
    const std::string target = target_of(route, platform, input);
    const std::string body = route.operation.method == Method::get ? "" : sample_body(route, platform, input);
    const std::string_view method = input.in(20) ? "PATCH" : to_string(route.operation.method);
    entry.append(method).append(" ").append(target).append(" ").append(body.substr(0, 300)).append("\n");
    Request request;
    request.method = method;
    request.path = target;
    request.body = body;
    const auto reply = fixture.engine().dispatch(request);
    require(reply.ok(), "every request is answered", reply ? entry : entry + reply.error().message);
    check(*reply, entry);
    if (input.in(3)) fixture.pass(1 + input.below(5));
  }
  fuzz::require_whole(fixture, entry);
  return 0;
}
