#include "rest/idempotency.h"

#include <algorithm>
#include <utility>

#include "base/family_number.h"
#include "base/text/digest.h"
#include "model/form.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/agreed_time.h"
#include "unit/operation.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::string_view key_header = "idempotency-key";
constexpr std::size_t forgotten_at_once = 2;  // expired answers removed for each new one, so that they do not pile up

const Family& family() {
  static const Family& found = *find_family(kept_answer_number);
  return found;
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char letter) { return letter >= 0x20 && letter < 0x7F; });
}

ContentType type_named(std::string_view media) {
  for (const ContentType type : {ContentType::yaml, ContentType::text, ContentType::binary}) {
    if (media_type(type) == media) return type;
  }
  return ContentType::json;
}

Value body_of_kept(Unit& unit, const KeyedRequest& request, const Answer& answer) {
  Value body = Value::object();
  body.set("request_digest", Value(request.digest));
  body.set("expires_at", Value(to_text(unit.now() + kept_answer_lifetime)));
  body.set("status", Value(std::int64_t{answer.status}));
  if (answer.revision) body.set("revision", Value(static_cast<std::int64_t>(*answer.revision)));
  body.set("media_type", Value(std::string(media_type(answer.type))));
  body.set("body", Value(answer.body));
  return body;
}

Result<bool> has_expired(const Record& kept, const Expiry& expiry) {
  ORLOP_TRY(body, parse_stored(kept.body));
  const auto expires_at = parse_instant(body.text_or("expires_at", ""));
  return !expires_at || expiry.has_passed(*expires_at - kept_answer_lifetime, kept_answer_lifetime);
}

// Removes the oldest answers that have expired. Ids ascend, so that the oldest come first.
Result<void> forget_expired(Unit& unit, const Id& organization) {
  RecordRange range;
  range.key = organization;
  range.family = kept_answer_number;
  range.limit = forgotten_at_once;
  ORLOP_TRY(oldest, unit.records(range));
  ORLOP_TRY(expiry, unit.expiry());
  for (const Record& kept : oldest) {
    ORLOP_TRY(expired, has_expired(kept, expiry));
    if (expired) unit.erase(kept.id);
  }
  return {};
}

// Returns nil if the request belongs to no organization, or the organization was deleted.
Result<Id> organization_of(Unit& unit, const Record* subject) {
  Id organization = subject == nullptr ? Id{} : subject->organization;
  if (organization.is_nil() && !unit.changes().records.empty())
    organization = unit.changes().records.front().record.organization;
  if (organization.is_nil()) return organization;
  ORLOP_TRY(holder, unit.record(organization));
  return holder ? organization : Id{};
}

Result<Shared<Record>> find_kept(Unit& unit, const KeyedRequest& request) {
  ORLOP_TRY(id, unit.find(request.name_key, Expected::absent));
  if (!id) return Shared<Record>();
  ORLOP_TRY(record, unit.record(*id));
  if (record) return record;
  return make_error(ErrorCode::not_found,
                    "the caller has no access any longer to the answer that its `Idempotency-Key` stands for");
}

}  // namespace

Result<std::optional<KeyedRequest>> keyed_request(const Request& request, const Caller& caller) {
  const auto header =
      std::ranges::find_if(request.headers, [](const auto& each) { return lower_case(each.first) == key_header; });
  if (header == request.headers.end()) return std::optional<KeyedRequest>();
  const std::string_view key = header->second;
  if (key.empty() || key.size() > idempotency_key_size_max || !is_printable(key)) {
    return make_error(ErrorCode::invalid,
                      "the header `Idempotency-Key` must have 1 to " + std::to_string(idempotency_key_size_max) +
                          " printable ASCII characters; it has " + std::to_string(key.size()) + " bytes");
  }
  std::string message(request.method);
  message.append(" ").append(request.path).append("\n").append(request.body);
  for (const std::string_view name : request.names)
    message.append("\n").append(std::to_string(name.size())).append(" ").append(name);
  const std::string digest = to_hex(sha256("kept answer\n" + to_text(caller.id) + "\n" + std::string(key)));
  std::string name_key(1, static_cast<char>(kept_answer_number >> 8));
  name_key.push_back(static_cast<char>(kept_answer_number & 0xFF));
  return std::optional(KeyedRequest{name_key + digest, to_hex(sha256(message))});
}

Result<std::optional<Answer>> find_kept_answer(Unit& unit, const KeyedRequest& request) {
  ORLOP_TRY(kept, find_kept(unit, request));
  if (!kept) return std::optional<Answer>();
  ORLOP_TRY(expiry, unit.expiry());
  ORLOP_TRY(expired, has_expired(*kept, expiry));
  if (expired) return std::optional<Answer>();
  ORLOP_TRY(value, full_value(*kept));
  if (value.text_or("request_digest", "") != request.digest) {
    return make_error(
        ErrorCode::key_reused,
        "the `Idempotency-Key` belongs to another request of this caller, with another method, path or body; "
        "a new request needs a new key");
  }
  Answer answer;
  answer.status = static_cast<std::uint16_t>(value.integer_or("status", 200));
  answer.body = value.text_or("body", "");
  answer.type = type_named(value.text_or("media_type", ""));
  if (const Value* revision = value.find("revision"))
    answer.revision = static_cast<std::uint64_t>(revision->as_integer());
  answer.is_kept = true;
  return std::optional(std::move(answer));
}

Result<void> keep_answer(Unit& unit, const KeyedRequest& request, const Record* subject, const Answer& answer) {
  ORLOP_TRY(organization, organization_of(unit, subject));
  if (organization.is_nil()) return {};
  ORLOP_TRY(before, find_kept(unit, request));
  if (before) unit.erase(before->id);  // expired
  ORLOP_CHECK(forget_expired(unit, organization));
  ORLOP_TRY(kept, create_record(unit, family(), organization, body_of_kept(unit, request, answer)));
  unit.put(std::move(kept), request.name_key);
  return {};
}

Result<void> complete_kept_answer(Unit& unit, const KeyedRequest& request, const Answer& answer) {
  ORLOP_TRY(kept, find_kept(unit, request));
  if (!kept) return {};
  ORLOP_TRY(edited, edit_record(unit, family(), std::move(kept).take(), body_of_kept(unit, request, answer)));
  (void)edited;
  return {};
}

}  // namespace orlop
