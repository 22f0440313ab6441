#include "describe/pages/event_names.h"

#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include "model/registry.h"
#include "rest/feed/event_json.h"

namespace orlop {
namespace {

struct EventWords {
  std::map<std::string, std::set<std::string>> changes;  // for each noun
  std::set<std::string_view> values;                     // values of `from` and `to`
};

void add_event(EventWords& words, const Family& family, EventKind kind, std::uint8_t to) {
  Event event;
  event.kind = kind;
  event.family = family.number;
  event.to = to;
  const std::string_view value = names_of(event).to;
  if (kind == EventKind::state_changed && value.empty()) return;
  if (!value.empty()) words.values.insert(value);
  const std::string name = kind_of(event);
  const std::size_t dot = name.find('.');
  words.changes[name.substr(0, dot)].insert(name.substr(dot + 1));
}

EventWords all_event_words() {
  constexpr int number_max = 255;
  EventWords words;
  for (const auto& families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      for (int kind = 1; kind <= static_cast<int>(EventKind::freshness_changed); ++kind) {
        for (int to = 0; to <= number_max; ++to)
          add_event(words, *family, static_cast<EventKind>(kind), static_cast<std::uint8_t>(to));
      }
    }
  }
  return words;
}

template <typename Names>
std::string joined(const Names& names) {
  std::string text;
  for (const auto& name : names) text.append(text.empty() ? "" : " ").append(name);
  return text;
}

}  // namespace

std::string python_event_names() {
  const EventWords words = all_event_words();
  std::string text =
      "\"\"\"The names of events. Generated from the core: do not edit.\"\"\"\n\n"
      "CHANGES: dict[str, str] = {\n";
  for (const auto& [noun, changes] : words.changes) text.append("    \"" + noun + "\": \"" + joined(changes) + "\",\n");
  return text +
         "}\n\"\"\"The changes of each noun: the kinds of events are `service.deployed`, `step.log` and so "
         "on.\"\"\"\n\n"
         "VALUES = \"" +
         joined(words.values) + "\"\n\"\"\"What `from` and `to` of events can be.\"\"\"\n";
}

}  // namespace orlop
