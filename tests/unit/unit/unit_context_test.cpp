#include "unit/unit_context.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "model/registry.h"
#include "store/open.h"
#include "wire/writer.h"

namespace orlop {
namespace {

class ZeroRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t, std::uint64_t index) override { return index; }
};

// Two organizations with a container registry each. The context is that of a record of the first.
class UnitContextTest : public testing::Test {
 protected:
  UnitContextTest() : unit_(*transaction_, random_source_, {1, {}, 0}, Instant{1000}, settings_) {
    put(1, "organization", 1, "{}");
    put(2, "organization", 2, "{}");
    put(11, "container_registry", 1, R"({"id":"x","name":"hub","kind":"ECR","config":{"name":"inner"}})");
    put(12, "container_registry", 2, R"({"name":"not ours"})");
    put(13, "container_registry", 1, R"({ "name" : "by hand", "url" : null })");
    put(14, "container_registry", 1, "{");
    put(15, "container", 1, R"({"name":"web"})");
  }

  static std::unique_ptr<Transaction> begin(Store& store) {
    auto begun = store.begin(Access::write);
    return std::move(*begun);
  }
  static Id id_of(int number) { return {{static_cast<std::uint8_t>(number)}}; }
  void put(std::uint8_t number, std::string_view family, std::uint8_t organization, std::string body) {
    Record record;
    record.id = id_of(number);
    record.family = find_family(family)->number;
    record.parent = id_of(organization);
    record.organization = id_of(organization);
    record.body = std::move(body);
    unit_.put(std::move(record));
  }
  UnitContext context() {
    Record record;
    record.organization = id_of(1);
    return {unit_, record, nullptr};
  }
  std::string members(std::uint8_t number, std::string_view family = "container_registry") {
    constexpr std::string_view names[] = {"name", "url", "kind"};
    UnitContext seen = context();
    const std::string found = to_json(seen.members_of(family, id_of(number), names));
    return seen.outcome() ? found : "error";
  }
  bool has(std::uint8_t number, std::string_view family) { return context().has(family, id_of(number)); }

  std::unique_ptr<Store> store_ = open_memory_store();
  std::unique_ptr<Transaction> transaction_ = begin(*store_);
  ZeroRandomSource random_source_;
  Settings settings_;
  Unit unit_;
};

TEST_F(UnitContextTest, HasRecordsOfItsOrganizationAndTheFamilyOnly) {
  EXPECT_TRUE(has(11, "container_registry"));
  EXPECT_FALSE(has(11, "container"));
  EXPECT_FALSE(has(12, "container_registry"));
  EXPECT_FALSE(has(99, "container_registry"));
  EXPECT_TRUE(has(15, "service"));
  EXPECT_FALSE(has(11, "service"));
}

TEST_F(UnitContextTest, FindsByFamilyWhateverWasAskedBefore) {
  UnitContext seen = context();
  EXPECT_FALSE(seen.has("container", id_of(11)));
  EXPECT_TRUE(seen.has("container_registry", id_of(11)));
  EXPECT_NE(seen.find("container_registry", id_of(11)), nullptr);
  EXPECT_FALSE(seen.has("container_registry", id_of(12)));
  Record other;
  other.organization = id_of(2);
  seen.turn_to(other);
  EXPECT_TRUE(seen.has("container_registry", id_of(12)));
  EXPECT_FALSE(seen.has("container_registry", id_of(11)));
}

TEST_F(UnitContextTest, AnswersTheMembersThatThereAre) {
  EXPECT_EQ(members(11), R"({"name":"hub","kind":"ECR"})");
  EXPECT_EQ(members(13), R"({"name":"by hand","url":null})");
  EXPECT_EQ(members(12), "null");
  EXPECT_EQ(members(11, "container"), "null");
  EXPECT_EQ(members(14), "error");
}

}  // namespace
}  // namespace orlop
