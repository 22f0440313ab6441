// Records that are made of a body which rules have seen before: when the rules are called, and that what is made without them is what they would have made.
#include "ops/known_creations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "unit/ops/counted_rules.h"

namespace orlop {
namespace {

using tests::counted_calls;
using tests::CountedRules;

TEST_F(CountedRules, MakeTheFirstThreeOnly) {
  for (const char* name : {"a", "b", "c"}) create(environment, name);
  EXPECT_EQ(calls(), 3);
  for (const char* name : {"d", "e", "f"}) {
    const Record record = create(environment, name);
    EXPECT_EQ(record.body, text_of(record, name)) << name;
  }
  EXPECT_EQ(calls(), 3);
}

TEST_F(CountedRules, AreNotCalledByRepeat) {
  const auto done = committer().run([this](Unit& unit) -> Result<void> {
    const Value body = body_of("new", "");
    Record record = tests::blank_record(unit.make_id(), family().number, id_of(environment), id_of(organization));
    for (const char* name : {"a", "b", "c"}) {
      auto early = KnownCreations::of(unit).repeat(unit, family(), record, body);
      EXPECT_TRUE(early.ok() && !early->has_value()) << name;
      EXPECT_TRUE(put_new_record(unit, family(), id_of(environment), body_of(name, "")).ok());
    }
    auto repeated = KnownCreations::of(unit).repeat(unit, family(), record, body);
    EXPECT_TRUE(repeated.ok() && repeated->has_value());
    EXPECT_EQ(calls(), 3);
    const Record& made = (*repeated)->record;
    EXPECT_EQ(made.body, text_of(record, "new"));
    EXPECT_EQ(unit.changes().records.back().record.body, made.body);
    EXPECT_EQ(unit.changes().events.back().detail.text(), R"({"name":"new"})");
    return {};
  });
  EXPECT_TRUE(done.ok()) << done.error().message;
}

// Below another parent once one has been made there by the rules.
TEST_F(CountedRules, MakeTheFirstOneBelowAnotherParent) {
  for (const char* name : {"a", "b", "c", "d"}) create(environment, name);
  const Record elsewhere = create(second_environment, "e");
  EXPECT_EQ(elsewhere.body, text_of(elsewhere, "e"));
  EXPECT_EQ(calls(), 4);
  for (const std::uint8_t parent : {third_environment, second_environment, environment}) {
    const Record record = create(parent, "f");
    EXPECT_EQ(record.body, text_of(record, "f"));
    EXPECT_EQ(record.parent, id_of(parent));
  }
  EXPECT_EQ(calls(), 4);
}

TEST_F(CountedRules, AreEnoughOnceBelowEachOfTwoParents) {
  create(environment, "a");
  create(environment, "b");
  create(second_environment, "c");
  const Record record = create(third_environment, "d");
  EXPECT_EQ(record.body, text_of(record, "d"));
  EXPECT_EQ(calls(), 3);
}

// The body names the first parent, which is meant below the others too.
TEST_F(CountedRules, KeepAnIdThatTheBodyHolds) {
  const std::string member = R"("note":"see )" + to_text(id_of(environment)) + "\"";
  int number = 0;
  for (const std::uint8_t parent : {environment, environment, environment, environment, second_environment, third_environment, second_environment, environment}) {
    const Record record = create(parent, std::to_string(++number), member);
    EXPECT_NE(record.body.find(member), std::string::npos) << record.body;
    EXPECT_NE(record.body.find(R"("above":")" + to_text(id_of(parent))), std::string::npos) << record.body;
  }
}

// In another form than the rules give it.
TEST_F(CountedRules, KeepAnIdThatTheyMakeOfTheBody) {
  set_rule([](Value& record, ValidationContext&) { record.set("note", Value(to_text(*parse_id(record.text_or("subject", ""))))); });
  const std::string id = to_text(id_of(environment));
  std::string upper = id;
  for (char& letter : upper) letter = letter >= 'a' && letter <= 'f' ? static_cast<char>(letter - 'a' + 'A') : letter;
  int number = 0;
  for (const std::uint8_t parent : {environment, environment, environment, environment, second_environment, third_environment, second_environment, environment}) {
    const Record record = create(parent, std::to_string(++number), R"("subject":")" + upper + "\"");
    EXPECT_NE(record.body.find(R"("note":")" + id + "\""), std::string::npos) << record.body;
  }
}

// So does a record that the rules read, whose name is the id of the parent at the time.
TEST_F(CountedRules, KeepAnIdThatAReadRecordHolds) {
  set_rule([](Value& record, ValidationContext& context) { record.set("note", Value(context.find("container_registry", id_of(registry))->text_or("name", ""))); });
  create(environment, "a");
  const std::string first = to_text(id_of(environment));
  rename_registry(first);
  EXPECT_NE(create(environment, "b").body.find(R"("note":")" + first), std::string::npos);
  rename_registry(to_text(id_of(second_environment)));
  create(second_environment, "c");
  rename_registry(first);
  EXPECT_NE(create(third_environment, "d").body.find(R"("note":")" + first), std::string::npos);
}

TEST_F(CountedRules, AreCalledWhereTheNextOneMayReadAnother) {
  constexpr tests::Rule rules[] = {
      [](Value&, ValidationContext& context) { (void)context.now(); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(to_text(context.make_id()))); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(std::to_string(context.all("container_registry").size()))); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(std::to_string(context.sibling_count()))); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.parent_family()->name)); },
      [](Value& record, ValidationContext& context) { record.set("note", context.value({"author"})); },
      [](Value& record, ValidationContext& context) { record.set("note", context.value({"default_cluster"})); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.has("container_registry", Id{{99}}) ? "there" : "absent")); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.has("container_registry", id_of(other_registry)) ? "there" : "absent")); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.find("environment", context.parent())->text_or("name", ""))); },
  };
  for (std::size_t at = 0; at < std::size(rules); ++at) {
    set_rule(rules[at]);
    for (int number = 1; number <= 6; ++number) {
      create_for(at, number);
      EXPECT_EQ(calls(), number) << "rule " << at;
    }
  }
}

TEST_F(CountedRules, MakeTheFirstThreeWithEachNumberOfSiblings) {
  set_rule([](Value& record, ValidationContext& context) { record.set("note", Value(std::to_string(context.sibling_count()))); });
  for (std::uint8_t parent = 0xE1; parent <= 0xE6; ++parent) {
    write([parent](Unit& unit) { put(unit, parent, "environment", organization, organization, R"({"name":"preview"})"); });
    for (const char* name : {"0", "1", "2"}) EXPECT_NE(create(parent, name).body.find(R"("note":")" + std::string(name) + "\""), std::string::npos);
  }
  EXPECT_EQ(calls(), 9);
}

TEST_F(CountedRules, MakeTheFirstThreeOfABatch) {
  Committer::Writing batch;
  ASSERT_TRUE(committer().begin(Caller(), batch).ok());
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    ASSERT_TRUE(committer().begin_unit(batch).ok());
    EXPECT_TRUE(put_new_record(*batch.unit, family(), id_of(environment), body_of(name, "")).ok());
    ASSERT_TRUE(committer().apply(batch).ok());
  }
  ASSERT_TRUE(committer().commit(batch).ok());
  create(environment, "f");
  EXPECT_EQ(calls(), 3);
}

TEST_F(CountedRules, AreKnownOfAFewBodies) {
  const auto create_of = [this](int bodies) {
    set_rule(nullptr);
    for (int round = 0; round < 5; ++round) {
      for (int body = 0; body < bodies; ++body) create(environment, std::to_string(bodies) + " " + std::to_string(round) + " " + std::to_string(body), R"("note":")" + std::to_string(bodies) + " " + std::to_string(body) + "\"");
    }
    return calls();
  };
  EXPECT_EQ(create_of(8), 24);
  EXPECT_EQ(create_of(9), 45);
}

TEST_F(CountedRules, AreNotCalledWhereTheNextOneReadsTheSame) {
  constexpr tests::Rule rules[] = {
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.find("container_registry", id_of(registry))->text_or("name", ""))); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.has("container_registry", id_of(registry)) ? "there" : "absent")); },
      [](Value& record, ValidationContext& context) {
        constexpr std::string_view names[] = {"name"};
        record.set("note", Value(context.members_of("container_registry", id_of(registry), names).text_or("name", "")));
      },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.has("cluster", id_of(registry)) ? "there" : "of another family")); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(context.value({"open_catalogs"}).as_boolean() ? "open" : "closed")); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(std::string(context.brand()) + to_text(context.organization()))); },
      [](Value& record, ValidationContext& context) { record.set("note", Value(to_text(context.self()) + " in " + to_text(context.parent()) + " in " + to_text(context.parent()))); },
  };
  for (std::size_t at = 0; at < std::size(rules); ++at) {
    set_rule(rules[at]);
    for (int number = 1; number <= 6; ++number) {
      create_for(at, number);
      EXPECT_EQ(calls(), std::min(number, 3)) << "rule " << at;
    }
  }
}

TEST_F(CountedRules, AreCalledWhenARecordThatTheyReadIsAnother) {
  set_rule([](Value& record, ValidationContext& context) {
    const Value* const read = context.find("container_registry", id_of(registry));
    record.set("note", Value(read == nullptr ? "absent" : read->text_or("name", "")));
  });
  const auto note_of = [](const Record& record) { return parse_json(record.body)->find("note")->as_text(); };
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(note_of(create(environment, name)), "hub");
  EXPECT_EQ(calls(), 3);
  rename_registry("hub");  // a later revision of the same content
  EXPECT_EQ(note_of(create(environment, "e")), "hub");
  EXPECT_EQ(calls(), 3);
  rename_registry("quay");
  EXPECT_EQ(note_of(create(environment, "f")), "quay");
  EXPECT_EQ(calls(), 4);
  for (const char* name : {"g", "h", "i"}) EXPECT_EQ(note_of(create(environment, name)), "quay");
  EXPECT_EQ(calls(), 5);
  erase(id_of(registry));
  EXPECT_EQ(note_of(create(environment, "j")), "absent");
}

// What they read is another, though they make the same of it.
TEST_F(CountedRules, AreNotCalledOnceWhatTheyReadIsKnownAgain) {
  set_rule([](Value& record, ValidationContext& context) { record.set("note", Value(context.has("container_registry", id_of(registry)) ? "there" : "absent")); });
  for (const char* name : {"a", "b", "c", "d"}) create(environment, name);
  EXPECT_EQ(calls(), 3);
  rename_registry("quay");
  for (const char* name : {"e", "f", "g", "h"}) create(environment, name);
  EXPECT_EQ(calls(), 5);
}

TEST_F(CountedRules, MakeTwoMoreWhenARecordThatTheyReadChangesBeforeTheThirdOne) {
  set_rule([](Value& record, ValidationContext& context) { record.set("note", Value(context.find("container_registry", id_of(registry))->text_or("name", ""))); });
  for (const char* name : {"a", "b"}) create(environment, name);
  rename_registry("quay");
  for (const char* name : {"c", "d", "e", "f"}) EXPECT_NE(create(environment, name).body.find(R"("note":"quay")"), std::string::npos);
  EXPECT_EQ(calls(), 4);
}

TEST_F(CountedRules, AreCalledForAnotherBodyAndOrganization) {
  for (const char* name : {"a", "b", "c", "d"}) create(environment, name, R"("note":"x")");
  EXPECT_EQ(calls(), 3);
  const Record foreign = create(other_environment, "a", R"("note":"x")");
  EXPECT_EQ(calls(), 4);
  EXPECT_EQ(foreign.organization, id_of(other_organization));
  EXPECT_NE(foreign.body.find(R"("within":")" + to_text(id_of(other_organization))), std::string::npos) << foreign.body;
  for (const char* name : {"e", "f", "g", "h"}) create(environment, name, R"("note":"x")");
  EXPECT_EQ(calls(), 4);
  int expected = calls();
  for (const char* other : {R"("note":"y")", R"("note":null)", R"("note":"x","list":[])", R"("note":"x","list":["a"])", R"("note":"x","list":["b"])", R"("list":["b"],"note":"x")", ""}) {
    create(environment, "of " + std::to_string(expected), other);
    EXPECT_EQ(calls(), ++expected) << other;
  }
}

TEST_F(CountedRules, AreCalledAfterARefusal) {
  for (const char* name : {"a", "b", "c", "d"}) create(environment, name);
  EXPECT_EQ(calls(), 3);
  const std::uint32_t ids = committer().ids_given();
  EXPECT_NE(refusal_of(environment, "e", R"("note":7)"), "");
  EXPECT_EQ(committer().ids_given(), ids);
  create(environment, "e");
  EXPECT_EQ(calls(), 4);
}

TEST_F(CountedRules, RefuseANameInTheSameWords) {
  const std::string too_long(tests::counted_name_max + 1, 'x');
  const std::string of_long = refusal_of(environment, too_long);
  const std::string of_none = refusal_of(environment, "");
  create(environment, "taken");
  const std::string of_taken = refusal_of(environment, "TAKEN");
  EXPECT_NE(of_long, "");
  EXPECT_NE(of_none, "");
  EXPECT_NE(of_taken, "");
  const std::pair<std::string, std::string> wanted[] = {{too_long, of_long}, {"", of_none}, {"TAKEN", of_taken}};
  for (const auto& [name, message] : wanted) {
    for (const char letter : {'a', 'b', 'c', 'd'}) create(environment, std::to_string(name.size()) + letter);
    EXPECT_EQ(refusal_of(environment, name), message);
    const Record here = create(second_environment, std::to_string(name.size()));
    EXPECT_EQ(here.body, text_of(here, std::to_string(name.size())));
  }
  EXPECT_EQ(find_by_name(environment, "3d").has_value(), false);
  EXPECT_EQ(find_by_name(environment, "5D").has_value(), true);
}

TEST_F(CountedRules, WriteANameThatNeedsEscapes) {
  for (const char* name : {"a", "b", "c", "d"}) create(environment, name);
  for (const std::string name : {"say \"hi\"", "back\\slash", "gr\xC3\xB6\xC3\x9F" "e", "it's", "</b>", "$&"}) {
    const Record record = create(environment, name);
    EXPECT_EQ(record.body, text_of(record, name));
    EXPECT_EQ(parse_json(record.body)->find("name")->as_text(), name);
    EXPECT_TRUE(find_by_name(environment, name).has_value()) << name;
  }
  for (const std::string& name : {to_text(id_of(environment)), "of " + to_text(id_of(environment)), to_text(id_of(second_environment))}) {
    for (const std::uint8_t parent : {environment, second_environment, third_environment}) {
      const Record record = create(parent, name);
      EXPECT_EQ(record.body, text_of(record, name));
    }
  }
}

// The ones by which the text is taken apart have such names.
TEST_F(CountedRules, DistinguishANameFromTheIdOfTheParent) {
  create(environment, "a");
  create(environment, to_text(id_of(environment)));
  create(second_environment, to_text(id_of(second_environment)));
  const Record next = create(third_environment, "d");
  EXPECT_EQ(next.body, text_of(next, "d"));
}

TEST_F(CountedRules, DistinguishANameThatBeginsWithTheIdOfTheParent) {
  const std::string name = to_text(id_of(environment));
  for (const char* end : {"", "2", "3", "4"}) {
    const Record record = create(environment, name + end);
    EXPECT_EQ(record.body, text_of(record, name + end));
  }
  const Record elsewhere = create(second_environment, name);
  EXPECT_EQ(elsewhere.body, text_of(elsewhere, name));
  const Record third = create(third_environment, name);
  EXPECT_EQ(third.body, text_of(third, name));
}

TEST_F(CountedRules, MakeEachRecordThatHasSecrets) {
  for (int number = 1; number <= 5; ++number) {
    const Record record = create(environment, std::to_string(number), R"("secret":"s3cret")");
    EXPECT_EQ(record.secrets, R"({"secret":"s3cret"})");
    EXPECT_EQ(calls(), number);
  }
}

TEST_F(CountedRules, MakeEachRecordThatHasMetadata) {
  for (int number = 1; number <= 5; ++number) {
    const std::string name = std::to_string(number);
    create(environment, name, R"("metadata":{"team":"shop"})");
    EXPECT_EQ(last_detail(), R"({"name":")" + name + R"(","metadata":{"team":"shop"}})");
    EXPECT_EQ(calls(), number);
  }
}

// The second one shows what the next ones are, which must be little.
TEST_F(CountedRules, MakeEachRecordThatIsLarge) {
  const std::string members = R"("note":")" + std::string(8000, 'x') + "\"";
  for (int number = 1; number <= 5; ++number) {
    const Record record = create(environment, std::to_string(number), members);
    EXPECT_NE(record.body.find(members), std::string::npos);
    EXPECT_EQ(calls(), number);
  }
  for (const char* name : {"a", "b", "c", "d"}) create(environment, name, R"("note":"x")");
  EXPECT_EQ(calls(), 8);
}

// References are ascending: that to the parent may come first or last.
TEST_F(CountedRules, LeaveWhatIsStoredBesideTheText) {
  constexpr tests::Rule rules[] = {
      [](Value& record, ValidationContext&) { record.set("registry_id", Value(to_text(id_of(registry)))); },
      [](Value& record, ValidationContext&) { record.set("registry_id", Value(to_text(id_of(late_registry)))); },
  };
  for (std::size_t at = 0; at < std::size(rules); ++at) {
    set_rule(rules[at]);
    int number = 0;
    for (const std::uint8_t parent : {environment, environment, second_environment, third_environment, environment}) {
      const std::string name = "Name " + std::to_string(++number) + " of " + std::to_string(at);
      const NewRecord made = put_new(parent, name, R"("list":[")" + std::to_string(at) + "\"]");
      EXPECT_EQ(made.plan_flags, 9U);
      EXPECT_EQ(made.record.revision, 1U);
      const RecordLinks links = read()->links(made.record.id).value();
      EXPECT_EQ(links.references, at == 0 ? (std::vector<Id>{id_of(registry), id_of(parent)}) : (std::vector<Id>{id_of(parent), id_of(late_registry)}));
      EXPECT_EQ(links.name_key, name_key(family(), id_of(parent), id_of(organization), name));
      EXPECT_EQ(last_detail(), R"({"name":")" + name + "\"}");
      EXPECT_EQ(read()->record(made.record.id).value()->body, made.record.body);
      EXPECT_EQ(seen_name(made.record.id), name);
    }
    EXPECT_EQ(calls(), 3);
  }
  EXPECT_EQ(put_new(environment, "a", "").plan_flags, 5U);
}

TEST_F(CountedRules, KeepAReferenceToTheRecordItself) {
  set_rule([](Value& record, ValidationContext& context) { record.set("registry_id", Value(to_text(context.self()))); });
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const Record record = create(environment, name);
    EXPECT_EQ(read()->links(record.id)->references, (std::vector<Id>{record.id, id_of(environment)}));
  }
}

// What changes at the third record is not known.
TEST_F(CountedRules, AreCalledUnlessThePlanFlagsStay) {
  family().plan_flags = [](const Value&) { return static_cast<std::uint32_t>(counted_calls); };
  for (std::uint32_t number = 1; number <= 6; ++number) EXPECT_EQ(put_new(environment, "n" + std::to_string(number)).plan_flags, number);
}

TEST_F(CountedRules, AreCalledUnlessTheThirdOneIsAsTheSecondOneShows) {
  static int last = 0;
  last = 0;
  set_rule([](Value& record, ValidationContext&) { record.set("note", Value("number " + std::to_string(++last))); });
  for (int number = 1; number <= 6; ++number) {
    EXPECT_NE(create(environment, "n" + std::to_string(number)).body.find("number " + std::to_string(number)), std::string::npos);
    EXPECT_EQ(calls(), number);
  }
}

}  // namespace
}  // namespace orlop
