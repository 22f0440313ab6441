// Properties of every family.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "base/deletion_number.h"
#include "base/family_number.h"
#include "base/rate_window_number.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "model/validate.h"
#include "unit/families/fixture.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

using Visit = std::function<void(const Field& field, const std::string& path)>;

void each_field(std::span<const Field> fields, const std::string& path, const Visit& visit) {
  for (const Field& field : fields) {
    const std::string here = path + "." + std::string(field.name);
    visit(field, here);
    if (field.shape == nullptr) continue;
    each_field(field.shape->fields, here, visit);
    for (const Variant& variant : field.shape->variants)
      each_field(variant.fields, here + "(" + std::string(variant.enum_value) + ")", visit);
  }
}

void each_field(const Visit& visit) {
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) each_field(family->fields, std::string(family->name), visit);
  }
}

void each_shape(const std::function<void(const Shape& shape, const std::string& path)>& visit) {
  each_field([&](const Field& field, const std::string& path) {
    if (field.shape != nullptr) visit(*field.shape, path);
  });
}

TEST(Families, take_numbers_of_advanced_settings_as_texts) {
  bool has_settings = false;
  for (const Family* family : all_families()) {
    EXPECT_EQ(family->takes_numbers_as_text, family->name.ends_with("_advanced_settings")) << family->name;
    if (!family->takes_numbers_as_text) continue;
    has_settings = true;
    Fixture fixture;
    for (const Field& field : family->fields) {
      if (field.kind != FieldKind::integer || field.is_read_only) continue;
      const auto made = [&](Value value, Violations& violations) {
        Value body = Value::object();
        body.set(field.name, std::move(value));
        return make_record(*family, body, Purpose::edit, fixture, violations);
      };
      const std::int64_t number = field.absent.integer;
      Violations none;
      EXPECT_EQ(made(Value(std::to_string(number)), none), made(Value(number), none)) << field.name;
      for (const char* text : {"", "1.5", " 1", "1s", "99999999999999999999"}) {
        Violations violations;
        (void)made(Value(text), violations);
        EXPECT_EQ(violations.size(), 1U) << field.name << " " << text;
      }
    }
  }
  EXPECT_TRUE(has_settings);
}

std::string_view to_string(NameScope scope) {
  switch (scope) {
    case NameScope::none: return "none";
    case NameScope::everywhere: return "everywhere";
    case NameScope::organization: return "organization";
    case NameScope::parent: return "parent";
  }
  return "";
}

std::vector<std::string> table_of_families() {
  std::vector<std::string> rows;
  std::ifstream table(std::string(ORLOP_TEST_DATA) + "/tables/families.txt");
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream values(line);
    std::string row;
    for (std::string value; values >> value;) row += (row.empty() ? "" : " ") + value;
    rows.push_back(row);
  }
  return rows;
}

std::string row_of(const Family& family) {
  std::string row = std::to_string(family.number);
  std::string parent;
  for (const Family* one : parents_of(family)) parent.append(parent.empty() ? "" : ",").append(one->name);
  if (parent.empty()) parent = "-";
  for (const std::string_view value :
       {family.name, family.segment, std::string_view(parent), to_string(family.name_scope)}) {
    row += " " + std::string(value);
  }
  return row;
}

TEST(Families, AreThoseOfTheTable) {
  const std::vector<std::string> expected = table_of_families();
  std::vector<std::string> found;
  for (const Family* family : all_families()) found.push_back(row_of(*family));
  const auto lacks = [](const std::vector<std::string>& rows, const std::string& row) {
    return std::ranges::find(rows, row) == rows.end();
  };
  for (const std::string& row : found) {
    if (lacks(expected, row))
      ADD_FAILURE() << "tests/tables/families.txt lacks this row; add it by its number: " << row;
  }
  for (const std::string& row : expected) {
    if (lacks(found, row)) ADD_FAILURE() << "tests/tables/families.txt has a row that no family has: " << row;
  }
  EXPECT_EQ(found, expected);
}

// Otherwise a list could hold as many items as a body has bytes.
TEST(Families, EveryListOfARequestHasAMaximum) {
  int lists = 0;
  each_field([&](const Field& field, const std::string& path) {
    if (field.kind != FieldKind::list || field.is_read_only || field.compute != nullptr) return;
    if (find_family(path.substr(0, path.find('.')))->is_internal) return;  // requests do not contain it
    const bool is_below_read_only = path.find("value_object") != std::string::npos;
    EXPECT_TRUE(is_below_read_only || field.maximum <= 5000) << path;
    ++lists;
  });
  EXPECT_GT(lists, 20);
}

TEST(Families, HaveNumbersNamesAndPathsOfTheirOwn) {
  std::set<FamilyNumber> numbers;
  std::set<std::string_view> names;
  std::set<std::string_view> schemas;
  std::set<std::string_view> segments;
  for (const Family* family : all_families()) {
    EXPECT_TRUE(numbers.insert(family->number).second)
        << "number " << family->number << ", which " << family->name
        << " has, is that of another family too; take one that tests/tables/families.txt does not have";
    EXPECT_TRUE(names.insert(family->name).second) << family->name;
    EXPECT_TRUE(schemas.insert(family->schema).second) << family->name;
    EXPECT_TRUE(family->path != PathForm::flat || segments.insert(family->segment).second) << family->name;
    EXPECT_GT(family->number, 0);
    EXPECT_LT(family->number, 1000);
    EXPECT_TRUE(family->about.ends_with('.')) << family->name;
    EXPECT_FALSE(family->id_name.empty()) << family->name;
  }
}

TEST(Families, ThatAreInternalHaveNoPathsAndAParentUnlessTheyAreTheHosts) {
  std::set<std::string_view> schemas;
  for (const Family* family : all_families()) {
    EXPECT_FALSE(family->is_internal) << family->name;
    schemas.insert(family->schema);
  }
  EXPECT_GE(internal_families().size(), 3U);
  for (const Family* family : internal_families()) {
    EXPECT_TRUE(family->is_internal) << family->name;
    EXPECT_GE(family->number, first_own_number) << family->name;
    EXPECT_EQ(find_family(family->number), family);
    EXPECT_EQ(find_family(family->name), family);
    EXPECT_TRUE(schemas.insert(family->schema).second) << family->name;
    EXPECT_TRUE(family->segment.empty() && family->id_name.empty() && family->verbs == 0) << family->name;
    EXPECT_TRUE(family->about.ends_with('.')) << family->name;
    EXPECT_FALSE(family->sample.empty()) << family->name;
    const FamilyNumber roots[] = {event_consumer_number, rate_window_number, deletion_number};
    const bool is_known_root = std::ranges::find(roots, family->number) != std::end(roots);
    EXPECT_EQ(parents_of(*family).empty(), is_known_root)
        << family->name << " needs a parent, or its number in `roots` of tests/unit/families/families_test.cpp";
  }
}

// Texts in layout 4 of the store, which a migration leaves unchanged. The parent's id is that of the fixture.
TEST(Families, ThatAreInternalAcceptWhatOlderStoresHold) {
  const std::map<std::string_view, std::string> texts = {
      {"cluster_lock", R"({"reason":"maintenance","ttl_in_days":1,"cluster_id":"02000000-0000-0000-0000-000000000000",)"
                       R"("locked_at":"2026-01-01T00:00:00.000Z","owner_name":"host"})"},
      {"database_credentials", R"({"login":"postgres","password":"letters"})"},
      {"token_digest", R"({"sha256":"440ed5cc1220ff2e4f0c6e6b1a0e7c1b440ed5cc1220ff2e4f0c6e6b1a0e7c1b",)"
                       R"("last_used_at":"2026-01-01T00:00:00.000Z"})"},
      {"webhook_delivery",
       R"({"id":"019b76da-a800-7000-8001-7000cf7f7d11","created_at":"2026-01-01T00:00:00.000Z","kind":"STANDARD",)"
       R"("matched_event":"DEPLOYMENT_STARTED","target_url_used":"https://hooks.example.com",)"
       R"("request":{"type":"DEPLOYMENT_STARTED"},"target_response_status_code":0,"target_response_body":null})"},
      {"bulk_job",
       R"({"kind":"COPY","author":"host","source_id":"02000000-0000-0000-0000-000000000000","detail":{"stages":{}},)"
       R"("items":"019b76da-a800-7000-8001-7000cf7f7d11019b76da-a800-7000-8001-7000cf7f7d12"})"},
      {"deployment",
       R"({"id":"019b76da-a800-7000-8001-7000cf7f7d11","environment_id":"02000000-0000-0000-0000-000000000000",)"
       R"("created_at":"2026-01-01T00:00:00.000Z","action":"DEPLOY","uninstall":false,"origin":"API",)"
       R"("triggered_by":"host",)"
       R"("execution_id":"019b76da-a800-7000-8001-7000cf7f7d11-1767225600","whole_environment":true,"services":[],)"
       R"("overrides":{},"forced_event":null,"cancel":null,"started_at":null,"ended_at":null,"status":null,)"
       R"("stages":null})"}};
  for (const Family* family : internal_families()) {
    if (family->number > token_digest_number) continue;  // newer than layout 4
    const auto text = texts.find(family->name);
    ASSERT_NE(text, texts.end()) << family->name;
    const auto stored = parse_json(text->second);
    ASSERT_TRUE(stored) << family->name;
    Fixture fixture;
    fixture.set_previous(&*stored);
    Violations violations;
    const Value again = make_record(*family, *stored, Purpose::edit, fixture, violations);
    for (const Violation& violation : violations)
      ADD_FAILURE() << family->name << ": " << violation.field << " " << violation.reason;
    EXPECT_EQ(to_json(again), text->second);
  }
}

TEST(Families, HaveParentsThatThereAre) {
  for (const Family* family : all_families()) {
    if (is_root(*family)) continue;
    EXPECT_TRUE(family->parent.empty() || family->parents.front().empty()) << family->name;
    const auto names = std::ranges::count_if(family->parents, [](std::string_view name) { return !name.empty(); });
    EXPECT_EQ(parents_of(*family).size(), static_cast<std::size_t>(names) + (family->parent.empty() ? 0U : 1U))
        << family->name;
    EXPECT_TRUE(family->parent_field.query.empty() || !family->parent_field.query_fields.empty()) << family->name;
    EXPECT_EQ(family->service_kind.empty(), family->machine != MachineKind::service) << family->name;
    EXPECT_EQ(family->machine == MachineKind::service || family->machine == MachineKind::cluster,
              family->plan_flags != nullptr)
        << family->name;
  }
}

TEST(Families, HaveOneNameAtMost) {
  for (const Family* family : all_families()) {
    const auto named = std::ranges::count_if(family->fields, &Field::is_unique_name);
    EXPECT_LE(named, 1) << family->name;
    EXPECT_TRUE(named == 1 || family->name_scope == NameScope::none) << family->name;
  }
}

TEST(Fields, HaveNamesOfTheirOwn) {
  const auto check = [](std::span<const Field> fields, const std::string& path) {
    std::set<std::string_view> names;
    for (const Field& field : fields) {
      EXPECT_TRUE(names.insert(field.name).second) << path << "." << field.name;
      EXPECT_NE(field.name, "") << path;
    }
  };
  for (const Family* family : all_families()) check(family->fields, std::string(family->name));
  each_shape([&](const Shape& shape, const std::string& path) {
    check(shape.fields, path);
    for (const Variant& variant : shape.variants) {
      std::vector<Field> all(shape.fields.begin(), shape.fields.end());
      all.insert(all.end(), variant.fields.begin(), variant.fields.end());
      check(all, path);
    }
  });
}

TEST(Fields, AreExplainedInOneSentence) {
  each_field([](const Field& field, const std::string& path) {
    EXPECT_TRUE(field.about.ends_with('.')) << path;
    EXPECT_GT(field.about.size(), 5U) << path;
  });
}

TEST(Fields, ReferToFamiliesThatThereAre) {
  each_field([](const Field& field, const std::string& path) {
    if (field.refers_to.empty() || field.refers_to == "service") return;
    EXPECT_NE(find_family(field.refers_to), nullptr) << path << " refers to " << field.refers_to;
  });
}

// A bound in the sentence is the bound of the field.
TEST(Fields, SayTheirBounds) {
  each_field([](const Field& field, const std::string& path) {
    const bool is_number = field.kind == FieldKind::integer || field.kind == FieldKind::number;
    if (!is_number || field.is_read_only) return;
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    if (field.maximum != huge) {
      EXPECT_NE(field.about.find(std::to_string(field.maximum)), std::string_view::npos) << path << ": " << field.about;
      EXPECT_NE(field.about.find(std::to_string(field.minimum)), std::string_view::npos) << path << ": " << field.about;
    }
  });
}

TEST(Shapes, HaveAVariantForEveryWordOfTheirDiscriminator) {
  each_shape([](const Shape& shape, const std::string& path) {
    EXPECT_EQ(shape.discriminator.empty(), shape.variants.empty()) << path;
    if (shape.discriminator.empty()) return;
    const auto field = std::ranges::find(shape.fields, shape.discriminator, &Field::name);
    ASSERT_NE(field, shape.fields.end()) << path;
    EXPECT_EQ(field->kind, FieldKind::enumeration) << path;
    std::set<std::string_view> enum_values(field->enum_values.begin(), field->enum_values.end());
    for (const Variant& variant : shape.variants)
      EXPECT_EQ(enum_values.erase(variant.enum_value), 1U) << path << " " << variant.enum_value;
    EXPECT_TRUE(enum_values.empty()) << path;
  });
}

TEST(Shapes, ThatWantOneOfManyHaveMany) {
  each_shape([](const Shape& shape, const std::string& path) {
    if (!shape.exactly_one) return;
    EXPECT_GE(std::ranges::count_if(shape.fields, &Field::is_nullable), 2) << path;
  });
}

TEST(Words, OfTheClusterAreThoseOfItsMachine) {
  const Family* cluster = find_family("cluster");
  ASSERT_NE(cluster, nullptr);
  const auto status = std::ranges::find(cluster->fields, "status", &Field::name);
  ASSERT_NE(status, cluster->fields.end());
  const std::set<std::string_view> enum_values(status->enum_values.begin(), status->enum_values.end());
  std::set<std::string_view> expected;
#define ORLOP_CLUSTER_STATE(name, number, enum_value, ...) expected.insert(enum_value);
#include "lifecycle/states.def"
  for (const std::string_view state : expected) {
    EXPECT_TRUE(enum_values.contains(state))
        << "`states` of core/families/clusters/cluster.cpp lacks \"" << state << "\"";
  }
  EXPECT_EQ(enum_values, expected);
  EXPECT_EQ(status->enum_values.size(), expected.size());
}

// The sample is accepted and holds the required fields, and its answer can be sent back without a change.
class Samples : public testing::TestWithParam<const Family*> {};

TEST_P(Samples, AreAcceptedAndStandWhenTheirAnswerIsSentBack) {
  const Family& family = *GetParam();
  if (family.sample.empty()) return;
  Fixture fixture;
  const Value made = fixture.record_of(family);
  auto body = parse_json(Fixture::filled(family.sample));
  ASSERT_TRUE(body);
  for (const Member& member : body->members()) {
    const bool is_field = std::ranges::any_of(
        family.fields, [&](const Field& field) { return is_branded(member.name, field.name, fixture.brand()); });
    EXPECT_TRUE(is_field) << member.name.view();
  }
  fixture.set_previous(&made);
  Value answer = made;
  (void)split_secrets(family.fields, answer);
  // Required members that only requests hold must be sent again.
  for (const Field& field : family.fields) {
    if (field.is_input_only && field.is_required) answer.set(field.name, *body->find(field.name));
  }
  Violations violations;
  const Value again = make_record(family, answer, Purpose::edit, fixture, violations);
  for (const Violation& violation : violations) ADD_FAILURE() << violation.field << " " << violation.reason;
  EXPECT_EQ(to_json(again), to_json(made));
}

TEST_P(Samples, AreCompletedTheSameTwice) {
  const Family& family = *GetParam();
  if (family.complete == nullptr || family.sample.empty()) return;
  Fixture fixture;
  const Value made = fixture.record_of(family);
  fixture.set_previous(&made);
  Value again = made;
  family.complete(again, fixture);
  EXPECT_EQ(to_json(again), to_json(made));
}

TEST_P(Samples, KeepTheirSecretsApart) {
  const Family& family = *GetParam();
  Fixture fixture;
  Value made = fixture.record_of(family);
  (void)split_secrets(family.fields, made);
  EXPECT_EQ(to_json(made).find("\"secret\""), std::string::npos) << to_json(made);
}

// As clones do: the record, sent as a request, gives the same record again.
TEST_P(Samples, CanBeMadeAgainFromWhatTheyBecame) {
  const Family& family = *GetParam();
  const bool is_clonable = family.machine == MachineKind::service || family.machine == MachineKind::environment;
  if (!is_clonable || family.sample.empty()) return;
  Fixture fixture;
  const Value made = fixture.record_of(family);
  Violations violations;
  const Value again = make_record(family, without_read_only(family.fields, made), Purpose::create, fixture, violations);
  for (const Violation& violation : violations) ADD_FAILURE() << violation.field << " " << violation.reason;
  EXPECT_EQ(again.members().size(), made.members().size());
}

std::string name_of(const testing::TestParamInfo<const Family*>& info) { return std::string(info.param->name); }

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(all_families().begin(), all_families().end()), name_of);
INSTANTIATE_TEST_SUITE_P(Internal, Samples, testing::ValuesIn(internal_families().begin(), internal_families().end()),
                         name_of);

}  // namespace
}  // namespace orlop
