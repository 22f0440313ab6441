// The reference pages: every link has a target, and everything in the tables is included.
#include "describe/pages/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "describe/generated_files.h"
#include "describe/words.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "rest/feed/event_json.h"
#include "rest/route.h"
#include "wire/json.h"

namespace orlop {
namespace {

const std::vector<Document>& documents() {
  static const std::vector<Document> all = project_documents();
  return all;
}

std::vector<std::string> targets_of(const std::string& text) {
  std::vector<std::string> targets;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    targets.push_back(text.substr(at + 2, text.find(')', at) - at - 2));
  }
  return targets;
}

// A heading's anchor is its text in lower case; only one-word headings are link targets.
bool has_heading(const std::string& text, std::string_view anchor) {
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  });
  return lower.find("\n### " + std::string(anchor) + "\n") != std::string::npos;
}

bool leads_somewhere(const std::string& page, const std::string& target) {
  if (target.starts_with('#')) return has_heading(page, std::string_view(target).substr(1));
  // The guide is written by hand; its links are checked with those of all documents.
  if (target.starts_with("../guide/")) return true;
  if (target == "steps.md") return true;  // docs/site/step_pages.py writes it, from the steps of an engine
  const std::string path = target.starts_with("../") ? "docs/" + target.substr(3) : "docs/reference/" + target;
  return std::ranges::find(documents(), path, &Document::path) != documents().end();
}

TEST(Reference, links_only_to_what_there_is) {
  for (const Document& document : documents()) {
    if (!document.path.ends_with(".md")) continue;
    for (const std::string& target : targets_of(document.text)) {
      EXPECT_TRUE(leads_somewhere(document.text, target)) << document.path << ": " << target;
    }
  }
  EXPECT_FALSE(leads_somewhere("# A\n", "no_such_page.md"));
  EXPECT_FALSE(leads_somewhere("# A\n\n### ServicePort\n", "#serviceports"));
}

TEST(Reference, names_every_field_of_every_family) {
  for (const Family* family : all_families()) {
    const std::string page = family_page(*family);
    for (const Field& field : family->fields) {
      EXPECT_NE(page.find("| `" + shown_name(field) + "` |"), std::string::npos) << family->name << " " << field.name;
    }
  }
}

TEST(Reference, names_every_route_of_every_family) {
  for (const Route& route : all_routes()) {
    if (route.family == nullptr) continue;
    const std::string row = "| " + std::string(to_string(route.operation.method)) + " | `" + route.path + "` |";
    EXPECT_NE(family_page(*route.family).find(row), std::string::npos) << row;
  }
}

TEST(Reference, begins_every_page_with_who_wrote_it) {
  for (const Document& document : documents()) {
    const bool is_page = document.path.ends_with(".md");
    EXPECT_EQ(document.text.starts_with("<!-- Generated from "), is_page) << document.path;
  }
}

TEST(Reference, describes_every_state) {
  const std::string page = machine_page(MachineKind::service);
  for (int number = 1; number <= state_count<ServiceState>; ++number) {
    const std::string row =
        "| " + std::to_string(number) + " | `" + std::string(to_string(static_cast<ServiceState>(number))) + "` |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(machine_page(MachineKind::environment), "");
}

Value full_event() {
  Event event;
  event.sequence = 7;
  event.kind = EventKind::state_changed;
  event.family = find_family("container")->number;
  event.from = 1;
  event.to = 2;
  event.subject = event.owner = event.organization = event.request = *parse_id("0198c0de-0000-7000-8000-000000000001");
  event.revision = 3;
  event.detail = "{}";
  Writer out;
  write_event(out, event);
  return *parse_json(out.text());
}

TEST(Reference, describes_every_member_of_an_event) {
  const std::string page = events_page();
  const Value event = full_event();
  std::string rows;
  for (const Member& member : event.members()) {
    rows = page.substr(page.find("## Members"));
    EXPECT_NE(rows.find("| `" + std::string(member.name) + "` |"), std::string::npos) << member.name.view();
  }
  EXPECT_EQ(std::ranges::count(rows, '\n') - 6, static_cast<std::ptrdiff_t>(event.members().size()));
}

}  // namespace
}  // namespace orlop
