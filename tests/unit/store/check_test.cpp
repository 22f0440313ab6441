// Compares the data that a store keeps besides its records with them.
#include "store/store_check.h"

#include <gtest/gtest.h>

#include <string>

#include "model/registry.h"
#include "unit/store/sqlite_file.h"

namespace orlop {
namespace {

RecordWrite written(std::uint8_t number, const char* family, const Id& parent, std::vector<Id> references = {}) {
  RecordWrite write;
  write.record.id = numbered(number);
  write.record.family = find_family(family)->number;
  write.record.parent = parent;
  write.record.organization = numbered(1);
  write.record.revision = 1;
  write.record.body = "{}";
  write.references = std::move(references);
  return write;
}

// Returns an organization with two clusters, and a project with two environments on the first of them.
Changes small_store() {
  Changes changes;
  changes.records = {written(1, "organization", Id{}),
                     written(2, "cluster", numbered(1)),
                     written(3, "cluster", numbered(1)),
                     written(4, "project", numbered(1)),
                     written(5, "environment", numbered(4), {numbered(2)}),
                     written(6, "environment", numbered(4), {numbered(2)})};
  return changes;
}

class Check : public SqliteFile {
 protected:
  std::string checked() {
    const auto store = std::move(open_sqlite_store(path, Durability::normal)).value();
    const auto transaction = std::move(store->begin(Access::read)).value();
    const auto sound = check_counts(*transaction);
    if (sound) return "";
    EXPECT_EQ(sound.error().code, ErrorCode::storage_corrupt);
    return sound.error().message;
  }
  void SetUp() override {
    SqliteFile::SetUp();
    put(*std::move(open_sqlite_store(path, Durability::normal)).value(), small_store());
    ASSERT_EQ(checked(), "");
  }
};

TEST_F(Check, ACountThatIsTooHighIsFound) {
  run("UPDATE reference_count SET count = 3");
  EXPECT_EQ(checked(), "the store is damaged: it keeps 3 as the number of records (environment) that refer to " +
                           to_text(numbered(2)) + ", and holds 2");
}

TEST_F(Check, ACountThatIsGoneIsFound) {
  run("DELETE FROM child_count");
  EXPECT_EQ(checked(), "the store is damaged: it keeps 0 as the number of records (environment) that lie below " +
                           to_text(numbered(4)) + ", and holds 2");
}

TEST_F(Check, ACountOfNothingIsFound) {
  run("INSERT INTO reference_count SELECT number, " + std::to_string(find_family("environment")->number) +
      ", 1 FROM identity WHERE id = x'0198a1b2c3d47e5f8a9b0c0d0e0f1003'");
  EXPECT_EQ(checked(), "the store is damaged: it keeps 1 as the number of records (environment) that refer to " +
                           to_text(numbered(3)) + ", and holds 0");
}

}  // namespace
}  // namespace orlop
