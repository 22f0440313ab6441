#include "store/body_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "store/stored_record.h"

namespace orlop {
namespace {

Id id_of_record(unsigned number) {
  Id id;
  id.bytes[3] = static_cast<std::uint8_t>(number);
  id.bytes[15] = static_cast<std::uint8_t>(number * 7);
  return id;
}

std::string container_body(const Id& id, const std::string& name, const std::string& more = "") {
  return R"({"id":")" + to_text(id) + R"(","created_at":"2026-01-01T00:00:00.000Z","environment":{"id":")" +
         to_text(id_of_record(200)) + R"("},"name":")" + name +
         R"(","image_name":"shop/web","tag":"1.0","arguments":[],"cpu":500,"memory":512,"ports":[],"storage":[],)"
         R"("annotations_groups":[],"labels_groups":[])" +
         more +
         R"(,"icon_uri":"app://platform-console/container","service_type":"CONTAINER","maximum_cpu":128000,)"
         R"("maximum_memory":524288,"maximum_gpu":16})";
}

// Returns the size of the packed body, after a check that it unpacks to the same body.
std::size_t packed_size(const BodyPattern& pattern, const std::string& body, const Id& own) {
  std::string packed;
  if (!pattern.pack(body, own, packed)) return body.size();
  std::string made = "what was there before";
  pattern.unpack(packed, body.size(), own, made);
  EXPECT_EQ(made, body);
  return packed.size();
}

TEST(BodyPattern, OfBodiesThatDifferInIdAndNameOnlyTheNameIsKept) {
  const BodyPattern pattern(container_body(id_of_record(1), "s-1"), id_of_record(1));
  EXPECT_EQ(packed_size(pattern, container_body(id_of_record(1), "s-1"), id_of_record(1)), 0);
  EXPECT_LE(packed_size(pattern, container_body(id_of_record(2), "a-longer-name"), id_of_record(2)), 24);
  EXPECT_LE(packed_size(pattern, container_body(id_of_record(2), ""), id_of_record(2)), 12);
}

TEST(BodyPattern, MembersComeAndGo) {
  const BodyPattern pattern(container_body(id_of_record(1), "s-1"), id_of_record(1));
  const std::string gpu = R"(,"gpu":1)";
  EXPECT_LE(packed_size(pattern, container_body(id_of_record(2), "s-1", gpu), id_of_record(2)), 64);
  const BodyPattern larger(container_body(id_of_record(1), "s-1", gpu), id_of_record(1));
  EXPECT_LE(packed_size(larger, container_body(id_of_record(2), "s-1"), id_of_record(2)), 64);
}

TEST(BodyPattern, AnotherBodyIsNotPacked) {
  const BodyPattern pattern(container_body(id_of_record(1), "s-1"), id_of_record(1));
  std::string packed;
  EXPECT_FALSE(pattern.pack(std::string(600, 'x'), id_of_record(2), packed));
  EXPECT_FALSE(pattern.pack(container_body(id_of_record(2), std::string(3000, 'n')), id_of_record(2), packed));
}

// For any bytes: texts that are cut from each other, with ids, marks of members, and empty ones.
TEST(BodyPattern, EveryTextIsMadeAgain) {
  std::mt19937 random(7);
  const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  std::size_t packed_texts = 0;
  for (int round = 0; round < 3000; ++round) {
    const Id first = id_of_record(static_cast<unsigned>(below(4)));
    const Id second = id_of_record(static_cast<unsigned>(below(4)));
    std::string text = below(8) == 0 ? std::string() : container_body(first, std::string(below(40), 'n'));
    const BodyPattern pattern(text, first);
    if (below(2) == 0) text = container_body(second, std::string(below(60), 'm'));
    for (std::size_t edits = below(6); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      switch (below(4)) {
        case 0: text.erase(at, below(80)); break;
        case 1: text.insert(at, std::string(below(300), static_cast<char>(below(256)))); break;
        case 2: text.insert(at, to_text(second)); break;
        default: text.insert(at, ",\"" + text.substr(below(text.size() + 1), below(60))); break;
      }
    }
    if (packed_size(pattern, text, second) < text.size()) ++packed_texts;
  }
  EXPECT_GT(packed_texts, 1000);
}

Record of_container(const Id& id) {
  Record record;
  record.id = id;
  record.family = 9;
  return record;
}

TEST(StoredRecord, ARecordIsMadeAgainWholeOrPacked) {
  BodyPatterns patterns;
  for (unsigned number = 0; number < 20; ++number) {
    Record record = of_container(id_of_record(number));
    record.parent = id_of_record(100);
    record.organization = id_of_record(101);
    record.revision = number + 1;
    record.body = number % 5 == 4 ? "{}" : container_body(record.id, "s-" + std::to_string(number));
    record.secrets = number % 3 == 0 ? R"({"token":"t"})" : "";
    const std::vector<Id> references(number % 4, id_of_record(102));
    const std::string name_key = number % 2 == 0 ? "key " + std::to_string(number) : "";
    const StoredRecord stored(Record(record), name_key, references, patterns);
    Record room;
    room.body = room.secrets = "what was there before";
    for (const Record& made : {Record(*stored.share()), stored.seen(room)}) {
      EXPECT_EQ(made.id, record.id);
      EXPECT_EQ(made.family, record.family);
      EXPECT_EQ(made.parent, record.parent);
      EXPECT_EQ(made.organization, record.organization);
      EXPECT_EQ(made.revision, record.revision);
      EXPECT_EQ(made.body, record.body);
      EXPECT_EQ(made.secrets, record.secrets);
    }
    const Record& head = stored.head(room);
    EXPECT_EQ(head.id, record.id);
    EXPECT_EQ(head.body + head.secrets, "");
    EXPECT_EQ(&stored.seen(room) == &room, number > 2 && number % 5 != 4)
        << "the first three are whole, and those that are small";
    EXPECT_EQ(stored.name_key(), name_key);
    EXPECT_EQ(stored.references(), references);
    EXPECT_TRUE(stored.has_references(references));
    EXPECT_FALSE(stored.has_references({id_of_record(103)}));
  }
}

// Each shape that recurs is packed, whatever comes in between.
TEST(StoredRecord, SeveralShapesOfOneFamilyArePacked) {
  BodyPatterns patterns;
  std::size_t packed = 0;
  for (unsigned number = 0; number < 100; ++number) {
    Record record = of_container(id_of_record(number));
    record.body =
        number % 2 == 0 ? container_body(record.id, "s") : std::string(500, 'a' + static_cast<char>(number % 3));
    Record room;
    packed += &StoredRecord(std::move(record), "", {}, patterns).seen(room) == &room ? 1 : 0;
  }
  EXPECT_GT(packed, 70);
}

// Different bodies: fewer and fewer become patterns, because each costs comparisons. Similar bodies after them are soon
// packed.
TEST(BodyPatterns, AFamilyWhoseBodiesNeverFitRests) {
  BodyPatterns patterns;
  unsigned random = 1;
  const auto noise = [&random] {
    std::string text(600, ' ');
    for (char& letter : text) letter = static_cast<char>('a' + ((random = random * 1664525 + 1013904223) >> 24) % 26);
    return text;
  };
  std::size_t made = 0;
  for (unsigned number = 0; number < 1000; ++number)
    made += patterns.pack(1, noise(), id_of_record(number)).pattern ? 1 : 0;
  EXPECT_LT(made, 25U);
  unsigned until_packed = 0;
  for (bool is_packed = false; !is_packed && until_packed < 1000; ++until_packed) {
    const Id id = id_of_record(2000 + until_packed);
    const BodyPatterns::Packed packed = patterns.pack(1, container_body(id, "s"), id);
    is_packed = packed.pattern && !packed.body.empty();
  }
  EXPECT_LT(until_packed, 64U + 6U);
  EXPECT_TRUE(patterns.pack(1, container_body(id_of_record(5000), "t"), id_of_record(5000)).pattern);
}

}  // namespace
}  // namespace orlop
