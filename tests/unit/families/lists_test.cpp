// The time of checks of lists is proportional to the number of items. With quadratic checks these would take minutes.
#include <gtest/gtest.h>

#include <string>

#include "families/shapes/rule_functions.h"
#include "families/shapes/services/service_port.h"
#include "unit/families/fixture.h"

namespace orlop {
namespace {

constexpr int many = 60'000;

Value ports(int count) {
  Value list = Value::list();
  for (int at = 0; at < count; ++at) {
    Value port = Value::object();
    port.set("name", Value("p" + std::to_string(at)));
    port.set("internal_port", Value(std::int64_t{at}));
    list.append(std::move(port));
  }
  Value record = Value::object();
  record.set("ports", std::move(list));
  return record;
}

TEST(Lists, ManyDifferentItemsAreDistinguished) {
  Violations violations;
  shapes::check_ports(ports(many), violations);
  EXPECT_TRUE(violations.empty());
}

TEST(Lists, AnItemIsComparedWithTheFirstOfItsLike) {
  Value record = ports(4);
  for (Value& port : record.find("ports")->items()) port.set("internal_port", Value(std::int64_t{80}));
  record.find("ports")->items()[3].set("name", Value("p1"));
  Violations violations;
  shapes::check_ports(record, violations);
  ASSERT_EQ(violations.size(), 4U);
  EXPECT_EQ(violations[0].field + " " + violations[0].reason, "ports[3].name must differ from that of ports[1]");
  EXPECT_EQ(violations[3].reason, "must differ from that of ports[0], which has the same protocol");
}

TEST(Lists, ManyItemsKeepTheirIds) {
  Fixture fixture;
  Value before = ports(many);
  for (Value& port : before.find("ports")->items()) port.set("id", Value(to_text(Id{{1, 2, 3}})));
  Value& last = before.find("ports")->items().back();
  last.set("id", Value(to_text(Id{{7}})));
  Value after = ports(many);
  shapes::complete_ids(*after.find("ports"), before.find("ports"), {"internal_port"}, fixture);
  EXPECT_EQ(after.find("ports")->items().back().text_or("id", ""), to_text(Id{{7}}));
  EXPECT_EQ(after.find("ports")->items().front().text_or("id", ""), to_text(Id{{1, 2, 3}}));
}

}  // namespace
}  // namespace orlop
