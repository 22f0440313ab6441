// Reads tests/tables/rules/*.txt: bodies, and their outcomes.
//
//   brand WORD             the brand from here on
//   later                  an hour passes
//   catalogs open|known    whether values outside of the catalogues are accepted
//   default none|cluster   whether the organization has a default cluster
//   create JSON            a body that is sent as a new record; "{family}" is the id of that family's record
//   edit JSON              a body that is sent for the last record that was accepted
//   clone                  the last record, created again as a clone does
//     ok                   it is accepted
//     FIELD: REASON        it is refused: one line for each violation, in their order
//     PATH = JSON          value in the record then; "-": absent
//     secret PATH = JSON   value stored as a secret
//     plan_flags NAME …        flags for planning
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/registry.h"
#include "model/validate.h"
#include "unit/families/fixture.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::pair<PlanFlag, std::string_view> plan_flag_names[] = {
    {PlanFlag::builds, "builds"},
    {PlanFlag::on_start, "on_start"},
    {PlanFlag::on_stop, "on_stop"},
    {PlanFlag::on_delete, "on_delete"},
    {PlanFlag::cron, "cron"},
    {PlanFlag::uninterruptible, "uninterruptible"},
    {PlanFlag::restartable, "restartable"},
    {PlanFlag::stoppable, "stoppable"},
    {PlanFlag::has_git, "has_git"},
    {PlanFlag::upgradable, "upgradable"},
    {PlanFlag::executes, "executes"},
};

// "ports[1].id"
const Value* at_path(const Value& record, std::string path) {
  std::replace(path.begin(), path.end(), '[', '.');
  std::erase(path, ']');
  const Value* at = &record;
  std::istringstream names(path);
  for (std::string name; at != nullptr && std::getline(names, name, '.');) {
    if (at->is_list()) {
      const std::size_t index = std::stoul(name);
      at = index < at->items().size() ? &at->items()[index] : nullptr;
    } else {
      at = at->find(name);
    }
  }
  return at;
}

class Table {
 public:
  explicit Table(const std::filesystem::path& path) : family_(*find_family(path.stem().string())), file_(path) {}

  void run() {
    for (std::string line; std::getline(file_, line);) {
      ++number_;
      if (line.empty() || line.starts_with('#')) continue;
      const testing::ScopedTrace trace("", 0,
                                       std::string(family_.name) + ".txt:" + std::to_string(number_) + " " + line);
      if (line.starts_with("  ")) {
        expect(line.substr(2));
      } else {
        finish();
        begin(line);
      }
    }
    finish();
    EXPECT_GT(bodies_, 0);
  }

 private:
  void begin(const std::string& line) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string token = line.substr(0, space);
    const std::string rest = space == line.size() ? "" : line.substr(space + 1);
    if (token == "brand") {
      fixture_.set_brand(rest);
    } else if (token == "catalogs") {
      fixture_.set_open_catalogs(rest == "open");
    } else if (token == "deployed") {
      fixture_.set_deployed(rest == "yes");
    } else if (token == "later") {
      fixture_.pass(seconds(3600));
    } else if (token == "default") {
      const Family* cluster = find_family("cluster");
      fixture_.set_default_cluster(rest == "cluster" ? std::optional(Fixture::id_of(*cluster)) : std::nullopt);
    } else if (token == "create" || token == "edit") {
      send(rest, token == "edit" ? Purpose::edit : Purpose::create);
    } else if (token == "clone") {
      send(to_json(without_read_only(family_.fields, accepted_)), Purpose::create);
    } else {
      ADD_FAILURE() << "no such word: " << token;
    }
  }

  void send(const std::string& text, Purpose purpose) {
    ++bodies_;
    const auto body = parse_json(Fixture::filled(text));
    if (!body) {
      ADD_FAILURE() << body.error().message;
      return;
    }
    const Value before = accepted_;
    fixture_.set_previous(purpose == Purpose::edit ? &before : nullptr);
    violations_.clear();
    Value made = make_record(family_, *body, purpose, fixture_, violations_);
    fixture_.set_previous(nullptr);
    is_checked_ = false;
    next_ = 0;
    if (!violations_.empty()) return;
    accepted_ = made;
    secrets_ = split_secrets(family_.fields, made);
    answer_ = std::move(made);
  }

  void expect(const std::string& line) {
    is_checked_ = true;
    if (line == "ok") {
      for (const Violation& violation : violations_)
        ADD_FAILURE() << "refused: " << violation.field << ": " << violation.reason;
      next_ = violations_.size();
    } else if (line.starts_with("plan_flags")) {
      expect_plan_flags(line.substr(10));
    } else if (const std::size_t equal = line.find(" = "); equal != std::string::npos && line.find(": ") > equal) {
      const bool is_secret = line.starts_with("secret ");
      const std::string path = is_secret ? line.substr(7, equal - 7) : line.substr(0, equal);
      const Value* held = at_path(is_secret ? secrets_ : answer_, path);
      EXPECT_EQ(held == nullptr ? "-" : to_json(*held), Fixture::filled(line.substr(equal + 3)));
    } else {
      ASSERT_LT(next_, violations_.size()) << "not refused for this";
      EXPECT_EQ(violations_[next_].field + ": " + violations_[next_].reason, Fixture::filled(line));
      ++next_;
    }
  }

  void expect_plan_flags(const std::string& names) {
    std::istringstream tokens(names);
    std::uint32_t expected = 0;
    for (std::string token; tokens >> token;) {
      const auto named = std::ranges::find(plan_flag_names, token, &std::pair<PlanFlag, std::string_view>::second);
      ASSERT_NE(named, std::end(plan_flag_names)) << token;
      expected = expected | named->first;
    }
    ASSERT_NE(family_.plan_flags, nullptr);
    EXPECT_EQ(family_.plan_flags(accepted_), expected);
  }

  void finish() {
    EXPECT_TRUE(is_checked_) << "nothing is expected of this body";
    for (; next_ < violations_.size(); ++next_)
      ADD_FAILURE() << violations_[next_].field << ": " << violations_[next_].reason;
    violations_.clear();
    next_ = 0;
  }

  const Family& family_;
  std::ifstream file_;
  Fixture fixture_;
  Violations violations_;
  Value accepted_;
  Value answer_;
  Value secrets_;
  std::size_t next_ = 0;
  std::size_t number_ = 0;
  int bodies_ = 0;
  bool is_checked_ = true;
};

std::vector<std::string> tables() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ORLOP_TEST_DATA) + "/tables/rules")) {
    names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

class Rules : public testing::TestWithParam<std::string> {};

TEST_P(Rules, AreThoseOfTheTable) {
  ASSERT_NE(find_family(GetParam()), nullptr) << "no family of this name";
  Table(std::string(ORLOP_TEST_DATA) + "/tables/rules/" + GetParam() + ".txt").run();
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::ValuesIn(tables()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

// Every family with rules has a table.
TEST(Rules, HaveATable) {
  const std::vector<std::string> names = tables();
  for (const Family* family : all_families()) {
    if (family->check == nullptr) continue;
    EXPECT_NE(std::ranges::find(names, family->name), names.end())
        << "the family has a check: add tests/tables/rules/" << family->name
        << ".txt, with these lines and the outcome "
        << "of a body that breaks each rule:\ncreate {…}\n  ok\ncreate {…}\n  FIELD: REASON";
  }
}

}  // namespace
}  // namespace orlop
