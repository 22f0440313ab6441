// The operation sets are consistent: no two of them replace the same verb of a family, and each belongs to an existing
// family.
#include "endpoints/operation_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/registry.h"

namespace orlop::tests {
namespace {

Result<Answer> nothing(Unit&, const Call&) { return Answer{}; }

constexpr ReplacedVerb removal[] = {{.verb = Verb::remove, .handle = nothing}};
constexpr OperationSet of_databases = {.families = families_named("database"), .replaced = removal};

std::size_t count_replacements(std::span<const OperationSet* const> sets, const Family& family, Verb verb) {
  std::size_t count = 0;
  for (const OperationSet* set : sets) {
    if (!set->serves(family)) continue;
    for (const ReplacedVerb& replaced : set->replaced) {
      if (replaced.verb == verb && replaced.only.fits(family)) ++count;
    }
  }
  return count;
}

// Returns a sentence for each fault of the sets: two replace the same verb of a family, or one belongs to an unknown
// family.
std::vector<std::string> conflicts_of(std::span<const OperationSet* const> sets) {
  std::vector<std::string> conflicts;
  for (const Family* family : all_families()) {
    for (const Verb verb : {Verb::create, Verb::list, Verb::read, Verb::edit, Verb::remove}) {
      if (count_replacements(sets, *family, verb) < 2) continue;
      conflicts.push_back("two operation sets replace verb " + std::to_string(static_cast<int>(verb)) + " of family " +
                          std::string(family->name));
    }
  }
  for (const OperationSet* set : sets) {
    if (!set->families) continue;
    if (std::ranges::none_of(all_families(), [set](const Family* family) { return set->serves(*family); })) {
      conflicts.push_back("an operation set serves no family");
    }
    for (const std::string_view name : set->families->names) {
      if (name.empty() || find_family(name) != nullptr) continue;
      conflicts.push_back("an operation set names family " + std::string(name) + ", which does not exist");
    }
  }
  return conflicts;
}

std::vector<std::string> conflicts_with(const OperationSet& planted) {
  std::vector<const OperationSet*> sets(all_operation_sets().begin(), all_operation_sets().end());
  sets.push_back(&planted);
  return conflicts_of(sets);
}

TEST(OperationSets, DoNotContradictEachOther) {
  for (const std::string& conflict : conflicts_of(all_operation_sets())) ADD_FAILURE() << conflict;
}

TEST(OperationSets, TwoThatReplaceOneVerbAreFound) {
  const auto found = conflicts_with(of_databases);  // services/remove replaces it already
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found.front().find("family database"), std::string::npos) << found.front();
}

TEST(OperationSets, OneThatReplacesAVerbTwiceIsFound) {
  static constexpr ReplacedVerb twice[] = {{.verb = Verb::edit, .handle = nothing},
                                           {.verb = Verb::edit, .handle = nothing, .only = families_named("project")}};
  static constexpr OperationSet planted = {.families = families_named("project", "webhook"), .replaced = twice};
  EXPECT_EQ(conflicts_with(planted).size(), 1U);
}

TEST(OperationSets, AFamilyThatDoesNotExistIsFound) {
  static constexpr OperationSet planted = {.families = families_named("database", "databases")};
  const auto found = conflicts_with(planted);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found.front().find("databases"), std::string::npos) << found.front();
}

TEST(OperationSets, EachHasSomethingToGive) {
  EXPECT_GT(all_operation_sets().size(), 25U);
  for (const OperationSet* set : all_operation_sets()) {
    const bool is_empty = set->operations.empty() && set->operations_by_kind.empty() && set->replaced.empty() &&
                          set->created == nullptr && set->python_class.empty();
    EXPECT_FALSE(is_empty);
    EXPECT_TRUE(set->families || (set->operations_by_kind.empty() && set->replaced.empty() && set->created == nullptr));
  }
}

TEST(OperationSets, ATerraformServiceIsNotStopped) {
  const auto stops = [](std::string_view name) {
    const Family& family = *find_family(name);
    return std::ranges::any_of(all_operation_sets(), [&](const OperationSet* set) {
      if (!set->serves(family)) return false;
      const auto operations = operations_of(*set, family);
      return std::ranges::find(operations, "stop_{family}", &Operation::name) != operations.end();
    });
  };
  EXPECT_TRUE(stops("container"));
  EXPECT_FALSE(stops("terraform"));
  EXPECT_FALSE(stops("argocd_app"));
}

}  // namespace
}  // namespace orlop::tests
