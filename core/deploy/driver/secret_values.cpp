#include "deploy/driver/secret_values.h"

#include <algorithm>

#include "base/text/secret_mask.h"
#include "model/missing_secret.h"
#include "records/missing_secrets.h"
#include "records/record_value.h"
#include "records/tree/removal.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Reports whether a member, a variable or a setting of this name holds a secret.
bool names_secret(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  constexpr std::string_view parts[] = {"pass", "pwd", "secret", "token", "key", "credential"};
  return lower == "auth" || lower == "pw" ||
         std::ranges::any_of(parts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

// Returns the value in a line of YAML or of a settings file, `name: value` or `name=value`, if the name is that of a
// secret; else empty.
std::string_view secret_in_line(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\"'";
  const std::size_t end = line.find_first_of(":=");
  if (end == std::string_view::npos || !names_secret(line.substr(0, end))) return {};
  const std::string_view value = line.substr(end + 1);
  const std::size_t begin = value.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : value.substr(begin, value.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

Result<Value> SecretValues::value_of(const Record& record) {
  if (are_read_ || record.secrets.empty()) {
    ORLOP_CHECK(add_of(record));
    return full_value(record);
  }
  return parse_stored(record.body);
}

Result<std::string> SecretValues::text_of(const Record& record) {
  if (are_read_ || record.secrets.empty()) {
    ORLOP_CHECK(add_of(record));
    return full_text(record);
  }
  return std::string(record.body);
}

Result<void> SecretValues::add_of(const Record& record) {
  if (record.secrets.empty()) return {};
  ORLOP_TRY(secrets, parse_stored(record.secrets));
  add_texts(secrets);
  visit_missing(secrets, [&](const std::string& path) { note_missing(path + " of " + label_of(record)); });
  return {};
}

Result<void> SecretValues::check_missing() const {
  if (missing_.empty() || !are_read_) return {};
  return make_error(ErrorCode::invalid, missing_reason(missing_));
}

void SecretValues::add_texts(const Value& value) {
  if (value.is_text()) add(value.as_text());
  for (const Value& item : value.items()) add_texts(item);
  for (const Member& member : value.members()) add_texts(member.value);
}

// Short values are not masked in reports, but a release must not show them.
void SecretValues::add(std::string_view value) {
  if (value.empty()) return;
  values_.emplace_back(value);
  if (value.size() >= SecretMask::value_size_min) add_parts(value);
}

void SecretValues::add_part(std::string_view value) {
  if (value.size() >= SecretMask::value_size_min) add(value);
}

// Adds the secrets inside a document: the private key of a service account, the token of a kubeconfig.
void SecretValues::add_parts(std::string_view value) {
  if (value.find_first_of("{[") == value.find_first_not_of(" \t\r\n")) {
    if (const auto document = parse_stored(value)) return add_named(*document, false);
  }
  if (value.find('\n') == std::string_view::npos) return;
  while (!value.empty()) {
    const std::size_t end = std::min(value.find('\n'), value.size());
    add_part(secret_in_line(value.substr(0, end)));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
}

void SecretValues::add_named(const Value& value, bool is_secret) {
  if (value.is_text() && is_secret) add_part(value.as_text());
  for (const Value& item : value.items()) add_named(item, is_secret);
  for (const Member& member : value.members()) add_named(member.value, is_secret || names_secret(member.name));
}

Result<void> SecretValues::add_kept(std::string_view text) {
  if (text.empty()) return {};
  ORLOP_TRY(kept, parse_stored(text));
  for (const Value& value : kept.find("values")->items()) values_.push_back(value.as_text());
  if (const std::string_view missing = kept.text_or("missing", ""); !missing.empty())
    note_missing(std::string(missing));
  return {};
}

std::string SecretValues::kept() const {
  if (values_.empty() && missing_.empty()) return {};
  Writer out;
  out.begin_object().key("values").begin_list();
  for (const std::string& value : values_) out.value(std::string_view(value));
  out.end_list().field("missing", std::string_view(missing_)).end_object();
  return std::move(out).take();
}

}  // namespace orlop
