#include "sim/spoiled_answers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/id.h"
#include "deploy/driver/scripted_driver.h"
#include "rest/problem.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t answers_max = 10'000;

bool is_like_enum(std::string_view text) {
  return text.size() > 1 &&
         std::ranges::all_of(text,
                             [](char letter) {
                               return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
                                      letter == '_';
                             }) &&
         std::ranges::any_of(text, [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

Value spoiled(const Value& value, std::string_view pattern) {
  if (value.is_list()) {
    Value out = Value::list();
    for (const Value& item : value.items()) out.append(spoiled(item, pattern));
    return out;
  }
  if (!value.is_object()) return value;
  Value out = Value::object();
  for (const Member& member : value.members()) {
    const bool is_changed =
        member.value.is_text() && is_like_enum(member.value.as_text()) && matches(pattern, member.name.view());
    out.set(member.name, is_changed ? Value(unknown_enum_value) : spoiled(member.value, pattern));
  }
  return out;
}

// Returns when the last resource in the path was created, by its id.
std::optional<Instant> made_at(std::string_view path) {
  std::optional<Instant> made;
  path = path.substr(0, path.find('?'));
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t size = std::min(path.find('/'), path.size());
    if (const auto id = parse_id(path.substr(0, size))) {
      std::int64_t milliseconds = 0;
      for (std::size_t at = 0; at < 6; ++at) milliseconds = milliseconds << 8 | id->bytes[at];
      made = Instant{milliseconds};
    }
    path.remove_prefix(size);
  }
  return made;
}

}  // namespace

Reply with_unknown_enums(Reply reply, std::string_view pattern) {
  const auto parsed = reply.body.empty() ? Result<Value>(Value()) : parse_stored(reply.body);
  if (parsed && (parsed->is_object() || parsed->is_list())) reply.body = to_json(spoiled(*parsed, pattern));
  return reply;
}

std::optional<Reply> StaleAnswers::find(std::string_view key, Instant now, Duration lag) {
  const std::lock_guard lock(mutex_);
  if (answers_) {
    const auto known = answers_->find(key);
    if (known != answers_->end() && now - known->second.at < lag) return *known->second.reply;
  }
  const auto made = made_at(key);
  if (!made || *made > now || !(now - *made < lag)) return std::nullopt;
  const Error error =
      make_error(ErrorCode::not_found, "a fault of the simulation answers as if the resource were not there yet");
  return Reply{status_of(error.code), {{"content-type", "application/json"}}, problem_body(error)};
}

void StaleAnswers::note(std::string_view key, Instant now, const Reply& reply) {
  const std::lock_guard lock(mutex_);
  if (!answers_ || answers_->size() >= answers_max) answers_ = Memory(Answers());
  else if (!answers_.is_sole()) answers_ = Memory(Answers(*answers_));
  answers_.edit()[std::string(key)] = {now, std::make_shared<const Reply>(reply)};
}

}  // namespace orlop
