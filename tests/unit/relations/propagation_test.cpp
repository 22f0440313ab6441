// The services and clusters that a change of another record marks as out of date.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/sort_unique.h"
#include "unit/relations/stored.h"

namespace orlop::tests {
namespace {

class Marks : public Stored {
 protected:
  // Returns the marked ids, each once, and clears them.
  static std::vector<Id> taken() {
    std::vector<Id> found = std::exchange(marked(), {});
    sort_unique(found);
    return found;
  }
  // Creates, edits and deletes an entry below `parent`; checks the marks of each.
  void expect_marks(const Id& parent, const std::vector<Id>& expected) {
    const Id entry = make("test_entry", parent, R"({"key": "A", "value": "1"})");
    EXPECT_EQ(taken(), expected) << "create";
    edit(entry, R"({"key": "A", "value": "2"})");
    EXPECT_EQ(taken(), expected) << "edit";
    edit(entry, R"({"key": "A", "value": "2"})");
    EXPECT_EQ(taken(), std::vector<Id>()) << "an edit that changes nothing";
    remove(entry);
    EXPECT_EQ(taken(), expected) << "remove";
  }
};

TEST_F(Marks, OfAProjectReachNoService) { expect_marks(project_, {}); }
TEST_F(Marks, OfAServiceReachItself) { expect_marks(services_[2], {services_[2]}); }

TEST_F(Marks, OfAnEditedServiceReachItself) {
  edit(services_[0], application("renamed"));
  EXPECT_EQ(taken(), std::vector<Id>{services_[0]});
}

TEST_F(Marks, OfACascadeReachWhereItWent) {
  const Id entry = make("test_entry", services_[0], R"({"key": "A"})");
  const Id alias = make("test_entry", services_[3], R"({"key": "B", "aliased_id": ")" + to_text(entry) + "\"}");
  (void)alias;
  marked().clear();
  remove(entry);
  EXPECT_EQ(taken(), (std::vector<Id>{services_[0], services_[3]}));
}

}  // namespace
}  // namespace orlop::tests
