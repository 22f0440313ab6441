#include "webhooks/subscription.h"

#include <algorithm>

#include "base/text/case_folding.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "records/record_value.h"

namespace orlop {
namespace {

std::vector<std::string> texts_of(const Value& value, std::string_view name) {
  std::vector<std::string> texts;
  const Value* list = value.find(name);
  if (list == nullptr || !list->is_list()) return texts;
  for (const Value& item : list->items()) {
    if (item.is_text()) texts.push_back(item.as_text());
  }
  return texts;
}

// Matches `text` against a pattern in which * matches any text. On a mismatch, the last * is extended by one character.
bool fits(std::string_view pattern, std::string_view text) {
  std::size_t in_pattern = 0;
  std::size_t in_text = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_end = 0;
  while (in_text < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      star_end = in_text;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[in_text]) {
      ++in_pattern;
      ++in_text;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      in_text = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace

const Family& webhook_family() {
  static const Family& family = *find_family("webhook");
  return family;
}

Result<Webhook> parse_webhook(const Record& record) {
  ORLOP_TRY(value, full_value(record));
  Webhook webhook;
  webhook.id = record.id;
  webhook.organization = record.organization;
  webhook.kind = value.text_or("kind", "") == "SLACK" ? WebhookKind::slack : WebhookKind::standard;
  webhook.is_enabled = value.boolean_or("enabled", false);
  webhook.url = value.text_or("target_url", "");
  webhook.secret = value.text_or("target_secret", "");
  if (const Value* secret = value.find("target_secret")) webhook.is_secret_missing = is_missing_secret(*secret);
  webhook.events = texts_of(value, "events");
  webhook.project_names = texts_of(value, "project_names_filter");
  webhook.modes = texts_of(value, "environment_types_filter");
  return webhook;
}

bool wants(const Webhook& webhook, std::string_view event, std::string_view project_name, std::string_view mode) {
  if (!webhook.is_enabled || std::ranges::find(webhook.events, event) == webhook.events.end()) return false;
  if (!webhook.modes.empty() && std::ranges::find(webhook.modes, mode) == webhook.modes.end()) return false;
  const std::string name = fold_case(project_name);
  return webhook.project_names.empty() || std::ranges::any_of(webhook.project_names, [&](const std::string& pattern) {
           return fits(fold_case(pattern), name);
         });
}

}  // namespace orlop
