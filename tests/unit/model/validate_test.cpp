#include "model/validate.h"

#include <gtest/gtest.h>

#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view colors[] = {"RED", "GREEN"};
constexpr Field inner_fields[] = {
    text("user", "Who.").required(),
    text("password", "Their password.").secret(),
    integer("port", "Where.").at_least(1).at_most(65535).defaults_to(80),
};
constexpr Shape inner{"Inner", inner_fields};
constexpr Field tcp_fields[] = {integer("port", "Port.").required()};
constexpr Field exec_fields[] = {list_of("command", FieldKind::text, "Command.").at_least(1).required()};
constexpr Variant probes[] = {{"TCP", tcp_fields}, {"EXEC", exec_fields}};
constexpr std::string_view probe_values[] = {"TCP", "EXEC"};
constexpr Field probe_fields[] = {enumeration("type", probe_values, "Which.").required()};
constexpr Shape probe{"Probe", probe_fields, "type", probes};
constexpr Field source_fields[] = {object("image", inner, "Image.").nullable(),
                                   object("git", inner, "Git.").nullable()};
constexpr Shape source{"Source", source_fields, {}, {}, true};

constexpr Field fields[] = {
    text("name", "Its name.").required().unique_name(),
    enumeration("color", colors, "Its color.").defaults_to("RED"),
    integer("size", "Its size.").at_least(3000).at_most(16000),
    text("kind", "Its kind.").immutable(),
    boolean("flag", "A flag.").defaults_to(false),
    text("note", "A note.").nullable(),
    object("config", inner, "Settings."),
    list_of("ports", inner, "Ports."),
    list_of("few", inner, "At most five.").at_most(5),
    object("probe", probe, "A probe."),
    object("source", source, "Where from."),
    reference("owner_id", "project", "Owner."),
    number("threshold", "Any number."),
    number("share", "A share.").at_least(0).at_most(1),
    integer("seen", "Set by the engine.").defaults_to(7).read_only(),
};

class FixedContext final : public ValidationContext {
 public:
  Id parent() const override { return {}; }
  const Family* parent_family() override { return nullptr; }
  Id organization() const override { return {}; }
  bool is_json(std::string_view) const override { return true; }
  const Value* previous() const override { return before; }
  const Value* find(std::string_view, const Id& id) override { return id == known ? &nothing : nullptr; }
  std::vector<Id> all(std::string_view) override { return {}; }
  Id make_id() override { return {}; }
  Id self() const override { return {}; }
  Instant now() const override { return {}; }
  std::string_view brand() const override { return "platform"; }
  const Value& value(ContextKey) override { return null; }

  const Value* before = nullptr;
  Id known = *parse_id("0198c0de-1234-7abc-8def-0123456789ab");
  Value null;
  Value nothing = Value::object();
};

struct Outcome {
  Value record;
  Violations violations;
};

Outcome make(std::string_view body, Purpose purpose = Purpose::create, const Value* before = nullptr) {
  Family family;
  family.schema = "Thing";
  family.fields = fields;
  FixedContext context;
  context.before = before;
  Outcome outcome;
  outcome.record = make_record(family, *parse_json(body), purpose, context, outcome.violations);
  return outcome;
}

std::string only_violation(std::string_view body) {
  const Outcome outcome = make(body);
  if (outcome.violations.size() != 1) return std::to_string(outcome.violations.size()) + " violations";
  return outcome.violations.front().field + " " + outcome.violations.front().reason;
}

TEST(Validate, SetsDefaultsInTheFamilysOrder) {
  EXPECT_EQ(to_json(make(R"({"flag":true,"name":"x"})").record), R"({"name":"x","color":"RED","flag":true,"seen":7})");
}

TEST(Validate, NamesFieldGivenAndAllowed) {
  EXPECT_EQ(only_violation(R"({"name":"x","size":200})"), "size must be 3000 to 16000, not 200");
  EXPECT_EQ(only_violation(R"({"name":"x","color":"BLUE"})"), "color must be one of RED, GREEN, not \"BLUE\"");
  EXPECT_EQ(only_violation(R"({})"), "name is required");
  EXPECT_EQ(only_violation(R"({"name":""})"), "name must not be empty");
  EXPECT_EQ(only_violation(R"({"name":7})"), "name must be a text, not an integer");
  EXPECT_EQ(only_violation(R"({"name":null})"), "name must not be null");
  EXPECT_EQ(only_violation(R"({"name":"x","colour":"RED"})"), "colour is not a field of Thing");
  EXPECT_EQ(only_violation(R"({"name":"x","config":{"user":"u","port":0}})"), "config.port must be 1 to 65535, not 0");
  EXPECT_EQ(only_violation(R"({"name":"x","ports":[{"user":"u"},{"port":1}]})"), "ports[1].user is required");
  EXPECT_EQ(only_violation(R"({"name":"x","owner_id":"7"})"), "owner_id must be a uuid, not \"7\"");
  EXPECT_EQ(only_violation(R"({"name":"x","owner_id":"0198c0de-1234-7abc-8def-000000000000"})"),
            "owner_id names no project of this organization: 0198c0de-1234-7abc-8def-000000000000");
}

TEST(Validate, BoundsAreInclusive) {
  EXPECT_TRUE(make(R"({"name":"x","size":3000})").violations.empty());
  EXPECT_TRUE(make(R"({"name":"x","size":16000})").violations.empty());
  EXPECT_FALSE(make(R"({"name":"x","size":2999})").violations.empty());
  EXPECT_FALSE(make(R"({"name":"x","size":16001})").violations.empty());
}

TEST(Validate, ANumberWithoutBoundsHasNone) {
  for (const std::string_view any : {"1e308", "-1e308", "9223372036854775807", "-0.25"}) {
    EXPECT_TRUE(make(R"({"name":"x","threshold":)" + std::string(any) + "}").violations.empty()) << any;
  }
  EXPECT_EQ(only_violation(R"({"name":"x","share":1e300})"), "share must be 0 to 1, not 1e+300");
  EXPECT_EQ(only_violation(R"({"name":"x","share":-0.5})"), "share must be 0 to 1, not -0.5");
}

TEST(Validate, ReportsEveryViolationAtOnce) {
  EXPECT_EQ(make(R"({"size":1,"color":"BLUE","flag":1,"extra":1})").violations.size(), 5U);
}

TEST(Validate, ADiscriminatorChoosesItsFields) {
  EXPECT_TRUE(make(R"({"name":"x","probe":{"type":"TCP","port":1}})").violations.empty());
  EXPECT_EQ(only_violation(R"({"name":"x","probe":{"type":"EXEC"}})"), "probe.command is required");
  EXPECT_EQ(only_violation(R"({"name":"x","probe":{"type":"EXEC","command":[]}})"),
            "probe.command must hold at least 1 items, not 0");
  EXPECT_EQ(make(R"({"name":"x","probe":{"type":"EXEC","command":["a"],"port":1}})").violations.size(), 1U);
}

TEST(Validate, ExactlyOneMeansOne) {
  EXPECT_TRUE(make(R"({"name":"x","source":{"image":{"user":"u"},"git":null}})").violations.empty());
  EXPECT_EQ(only_violation(R"({"name":"x","source":{}})"), "source must hold exactly one of image, git, not 0 of them");
  EXPECT_EQ(only_violation(R"({"name":"x","source":{"image":{"user":"u"},"git":{"user":"u"}}})"),
            "source must hold exactly one of image, git, not 2 of them");
}

TEST(Validate, IgnoresReadOnlyFields) {
  EXPECT_EQ(make(R"({"name":"x","seen":99,"id":"y"})").record.integer_or("seen", 0), 7);
}

TEST(Validate, AnEditKeepsSecretsAndTakesDefaultsAgain) {
  const Value before =
      *parse_json(R"({"name":"x","color":"GREEN","kind":"k","config":{"user":"u","password":"p","port":1}})");
  const Outcome outcome = make(R"({"name":"y","config":{"user":"v"}})", Purpose::edit, &before);
  ASSERT_TRUE(outcome.violations.empty());
  EXPECT_EQ(
      to_json(outcome.record),
      R"({"name":"y","color":"RED","kind":"k","flag":false,"config":{"user":"v","password":"p","port":80},"seen":7})");
}

TEST(Validate, AnEditCannotChangeWhatIsImmutable) {
  const Value before = *parse_json(R"({"name":"x","kind":"k"})");
  EXPECT_TRUE(make(R"({"name":"x","kind":"k"})", Purpose::edit, &before).violations.empty());
  EXPECT_EQ(make(R"({"name":"x","kind":"other"})", Purpose::edit, &before).violations.size(), 1U);
}

TEST(Validate, SecretsPartAndJoinAgain) {
  const Value whole =
      *parse_json(R"({"config":{"user":"u","password":"p"},"ports":[{"user":"a"},{"user":"b","password":"q"}]})");
  Value open = whole;
  const Value secrets = split_secrets(fields, open);
  EXPECT_EQ(to_json(open), R"({"config":{"user":"u"},"ports":[{"user":"a"},{"user":"b"}]})");
  EXPECT_EQ(to_json(secrets), R"({"config":{"password":"p"},"ports":[null,{"password":"q"}]})");
  join_secrets(open, secrets);
  EXPECT_EQ(open, whole);
}

std::string list_body(std::string_view list, std::string_view item, int count) {
  std::string body = R"({"name":"x",")" + std::string(list) + R"(":[)";
  for (int at = 0; at < count; ++at) body.append(at == 0 ? "" : ",").append(item);
  return body + "]}";
}

TEST(Validate, AListOverItsBoundIsOneViolationAndNothingInItIsLookedAt) {
  EXPECT_TRUE(make(list_body("few", R"({"user":"u"})", 5)).violations.empty());
  EXPECT_EQ(only_violation(list_body("few", "{}", 6)), "few must hold at most 5 items, not 6");
  EXPECT_EQ(only_violation(list_body("few", "{}", 300'000)), "few must hold at most 5 items, not 300000");
}

TEST(Validate, CountsTheViolationsThatItsMessageDoesNotName) {
  const Violations violations = make(list_body("ports", "{}", 250)).violations;
  EXPECT_EQ(violations.size(), 250U);
  EXPECT_EQ(refusal(violations).message, "ports[0].user is required (and 249 more)");
}

TEST(Validate, StopsCountingWhenABodyIsHopeless) {
  const Violations of_items = make(list_body("ports", "{}", 5000)).violations;
  EXPECT_EQ(of_items.size(), violations_counted_max);
  EXPECT_EQ(refusal(of_items).message, "ports[0].user is required (and at least 999 more)");
  std::string unknown = R"({"name":"x")";
  for (int at = 0; at < 5000; ++at) unknown += ",\"m" + std::to_string(at) + "\":1";
  EXPECT_EQ(make(unknown + "}").violations.size(), violations_counted_max);
}

TEST(Validate, FindsReferencesOnce) {
  const Value record = *parse_json(R"({"owner_id":"0198c0de-1234-7abc-8def-0123456789ab"})");
  EXPECT_EQ(references_of(fields, record).size(), 1U);
}

TEST(Validate, ArrangesMembersInTheOrderOfTheirFields) {
  const auto arranged = [](std::string_view text) {
    Value record = *parse_json(text);
    arrange(fields, record);
    return to_json(record);
  };
  EXPECT_EQ(arranged(R"({"id":1,"name":2,"color":3})"), R"({"id":1,"name":2,"color":3})");
  EXPECT_EQ(arranged(R"({"id":1,"flag":2,"other":3,"name":4,"kind":5,"color":6})"),
            R"({"id":1,"name":4,"color":6,"kind":5,"flag":2,"other":3})");
  EXPECT_EQ(arranged(R"({"config":{"port":1,"user":2},"few":[{"port":3,"user":4}],"flag":5})"),
            R"({"flag":5,"config":{"user":2,"port":1},"few":[{"user":4,"port":3}]})");
}

}  // namespace
}  // namespace orlop
