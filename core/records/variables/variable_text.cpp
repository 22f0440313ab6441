#include "records/variables/variable_text.h"

#include <array>
#include <utility>

#include "base/family_number.h"
#include "model/missing_secret.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::array<std::string_view, 9> scope_texts = {
    "BUILT_IN", "PROJECT", "ENVIRONMENT", "APPLICATION", "CONTAINER", "JOB", "HELM", "TERRAFORM", "AGENTIC_WORKFLOW"};

VariableScope scope_of_text(std::string_view text) {
  if (text == "BUILT_IN") return VariableScope::built_in;
  if (text == "PROJECT") return VariableScope::project;
  return text == "ENVIRONMENT" ? VariableScope::environment : VariableScope::service;
}

std::string_view known_scope(std::string_view text) {
  for (const std::string_view known : scope_texts) {
    if (known == text) return known;
  }
  return scope_texts[1];
}

// Returns the text of a JSON string: a part of `raw` if it has no escapes.
std::string_view unquoted(std::string_view raw, std::deque<std::string>& texts) {
  if (raw.size() < 2 || raw.front() != '"') return {};
  if (raw.find('\\') == std::string_view::npos) return raw.substr(1, raw.size() - 2);
  auto value = parse_stored(raw);
  return value && value->is_text() ? std::string_view(texts.emplace_back(value->as_text())) : std::string_view();
}

constexpr std::string_view secret_name = "value";

}  // namespace

void write_content(const VariableContent& content, Record& record) {
  Writer out(320 + content.value.size());
  out.begin_object()
      .field("id", content.id)
      .field("created_at", content.created_at)
      .field("updated_at", content.updated_at);
  out.field("key", std::string_view(content.key)).key("value");
  if (content.is_secret || content.type == VariableType::alias) {
    out.null();
  } else {
    out.value(std::string_view(content.value));
  }
  out.key("mount_path");
  if (content.mount_path.empty()) {
    out.null();
  } else {
    out.value(std::string_view(content.mount_path));
  }
  out.field("description", std::string_view(content.description));
  out.field("enable_interpolation_in_file", content.interpolates_file);
  if (!content.secret_manager_access.empty())
    out.field("secret_manager_access_id", std::string_view(content.secret_manager_access));
  if (!content.target.is_nil()) out.field("target_id", content.target);
  out.field("scope", content.scope_text)
      .field("is_secret", content.is_secret)
      .field("variable_type", to_string(content.type))
      .end_object();
  record.body = std::move(out).take();
  record.secrets.clear();
  if (content.is_secret && content.type != VariableType::alias) {
    Writer secrets;
    secrets.begin_object();
    if (content.is_missing) secrets.field_raw(secret_name, missing_secret_text);
    else secrets.field(secret_name, std::string_view(content.value));
    record.secrets = std::move(secrets.end_object()).take();
  }
}

Result<VariableContent> content_of(const Record& record) {
  ORLOP_TRY(body, parse_stored(record.body));
  VariableContent content;
  content.id = record.id;
  content.created_at = parse_instant(body.text_or("created_at", "")).value_or(Instant{});
  content.updated_at = parse_instant(body.text_or("updated_at", "")).value_or(Instant{});
  content.key = body.text_or("key", "");
  content.value = body.text_or("value", "");
  content.mount_path = body.text_or("mount_path", "");
  content.description = body.text_or("description", "");
  content.interpolates_file = body.boolean_or("enable_interpolation_in_file", false);
  content.secret_manager_access = body.text_or("secret_manager_access_id", "");
  content.target = parse_id(body.text_or("target_id", "")).value_or(Id{});
  content.scope_text = known_scope(body.text_or("scope", ""));
  content.scope = scope_of_text(content.scope_text);
  content.type = parse_variable_type(body.text_or("variable_type", "")).value_or(VariableType::value);
  content.is_secret = body.boolean_or("is_secret", false);
  if (!record.secrets.empty()) {
    ORLOP_TRY(secrets, parse_stored(record.secrets));
    content.value = secrets.text_or(secret_name, "");
    content.is_missing = is_missing_secret(secrets.has(secret_name) ? *secrets.find(secret_name) : Value());
  }
  return content;
}

Result<Variable> variable_of(const Record& record, VariableScope scope, std::deque<std::string>& texts) {
  Variable variable;
  variable.id = record.id;
  variable.scope = scope;
  bool interpolates_file = false;
  RawMembers members(record.body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (name == "key") variable.key = unquoted(raw, texts);
    if (name == "value") variable.value = unquoted(raw, texts);
    if (name == "mount_path") variable.mount_path = unquoted(raw, texts);
    if (name == "enable_interpolation_in_file") interpolates_file = raw == "true";
    if (name == "secret_manager_access_id") variable.secret_manager_access = unquoted(raw, texts);
    if (name == "target_id") variable.target = parse_id(unquoted(raw, texts)).value_or(Id{});
    if (name == "is_secret") variable.is_secret = raw == "true";
    if (name == "variable_type")
      variable.type = parse_variable_type(unquoted(raw, texts)).value_or(VariableType::value);
  }
  if (members.is_broken())
    return make_error(ErrorCode::storage_corrupt, "the store holds a variable whose text the library did not write");
  if (!record.secrets.empty()) {
    const std::string_view raw = raw_member(record.secrets, secret_name);
    variable.value = unquoted(raw, texts);
    variable.is_missing = raw == missing_secret_text;
  }
  variable.is_interpolated = variable.mount_path.empty() || interpolates_file;
  return variable;
}

std::optional<VariableEnd> end_of_text(std::string_view body) {
  constexpr std::string_view type_mark = R"(,"variable_type":")";
  constexpr std::string_view secret_mark = R"("is_secret":)";
  constexpr std::string_view closing = "\"}";
  constexpr std::size_t type_size_max = 24;
  if (!body.ends_with(closing)) return std::nullopt;
  body.remove_suffix(closing.size());
  const std::size_t quote = body.rfind('"');
  if (quote == std::string_view::npos || body.size() - quote > type_size_max) return std::nullopt;
  const auto type = parse_variable_type(body.substr(quote + 1));
  body = body.substr(0, quote + 1);
  if (!type || !body.ends_with(type_mark)) return std::nullopt;
  body.remove_suffix(type_mark.size());
  const bool is_secret = body.ends_with("true");
  body.remove_suffix(is_secret ? 4 : 5);
  if (!body.ends_with(secret_mark)) return std::nullopt;
  return VariableEnd{*type, is_secret};
}

std::string event_text_of(const Record& variable) {
  std::string_view key = "null";
  std::string_view scope = "null";
  std::string_view is_secret = "false";
  RawMembers members(variable.body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (name == "key") key = raw;
    if (name == "scope") scope = raw;
    if (name == "is_secret") is_secret = raw;
  }
  return Writer()
      .begin_object()
      .field_raw("name", key)
      .field_raw("scope", scope)
      .field_raw("is_secret", is_secret)
      .end_object()
      .text();
}

std::string variable_key(const Id& owner, std::string_view key) {
  std::string made(owner.bytes.begin(), owner.bytes.end());
  made.push_back(static_cast<char>(variable_number >> 8));
  made.push_back(static_cast<char>(variable_number & 0xFF));
  return made.append(key);
}

}  // namespace orlop
