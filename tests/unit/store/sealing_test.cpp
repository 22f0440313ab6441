// Stored secrets: the underlying store gets them sealed, and reads open them.
#include "store/sealing/sealing.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"
#include "store/sealing/cipher.h"
#include "store/sealing/organization_keys.h"
#include "store/sealing/sealed_text.h"
#include "unit/store/watched_writes.h"

namespace orlop {
namespace {

const std::string secret = R"({"password":"correct horse battery staple"})";

Id sealed_id(std::uint8_t number) {
  Id id;
  id.bytes[15] = number;
  return id;
}

Record record_of(std::uint8_t number, std::uint8_t organization = 1, std::string secrets = secret) {
  Record record;
  record.id = sealed_id(number);
  record.family = 7;
  if (number != organization) record.parent = sealed_id(organization);
  record.organization = sealed_id(organization);
  record.revision = 1;
  record.body = "{}";
  record.secrets = std::move(secrets);
  return record;
}

class Sealing : public testing::Test {
 protected:
  Result<std::shared_ptr<Store>> open(char key, const std::string& previous = "") {
    SealingKeys keys;
    if (key != '\0') keys.current = std::string(Cipher::key_size, key);
    for (const char letter : previous) keys.previous.emplace_back(Cipher::key_size, letter);
    return seal_store(behind, keys, random_source);
  }
  std::shared_ptr<Store> opened(char key, const std::string& previous = "") {
    auto store = open(key, previous);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *store : nullptr;
  }
  static Result<void> write(Store& store, const Changes& changes) {
    ORLOP_TRY(transaction, store.begin(Access::write));
    ORLOP_CHECK(transaction->apply(changes));
    return transaction->commit();
  }
  static void put(Store& store, const Record& record) {
    Changes changes;
    RecordWrite& write = changes.records.emplace_back();
    write.record = record;
    write.expected_revision = record.revision - 1;
    write.name_key = "key " + to_text(record.id);
    write.references = {sealed_id(99)};
    const Result<void> written = Sealing::write(store, changes);
    ASSERT_TRUE(written) << written.error().message;
  }
  static Result<Shared<Record>> read(Store& store, const Id& id) {
    ORLOP_TRY(transaction, store.begin(Access::read));
    return transaction->record(id);
  }
  static std::string secrets_of(Store& store, std::uint8_t number) {
    const auto found = read(store, sealed_id(number));
    if (!found) return std::string(name_of(found.error().code));
    return *found ? (*found)->secrets : "none";
  }
  // Changes the record in the underlying store; its revision stays unless `change` changes it.
  void tamper(std::uint8_t number, const std::function<void(Record&)>& change) {
    Changes changes;
    changes.is_restore = true;
    RecordWrite& write = changes.records.emplace_back();
    write.record = **read(*behind, sealed_id(number));
    changes.erasures = {write.record.id};
    change(write.record);
    ASSERT_TRUE(Sealing::write(*behind, changes));
  }

  SeededRandomSource random_source{5};
  std::shared_ptr<Store> behind = open_memory_store();
};

TEST_F(Sealing, WithoutAKeyNothingIsSealed) {
  const auto store = opened('\0');
  put(*store, record_of(1));
  EXPECT_EQ(secrets_of(*behind, 1), secret);
}

TEST_F(Sealing, TheStoreBehindNeverSeesASecret) {
  const auto store = opened('a');
  put(*store, record_of(1));
  put(*store, record_of(2));
  put(*store, record_of(3, 1, ""));
  EXPECT_EQ(secrets_of(*store, 1), secret);
  EXPECT_EQ(secrets_of(*store, 2), secret);
  EXPECT_EQ(secrets_of(*store, 3), "");
  for (std::uint8_t number = 1; number <= 2; ++number) {
    EXPECT_TRUE(is_sealed(secrets_of(*behind, number)));
    EXPECT_EQ(secrets_of(*behind, number).find("horse"), std::string::npos);
  }
  EXPECT_NE(secrets_of(*behind, 1), secrets_of(*behind, 2));
  const auto again = opened('a');
  EXPECT_EQ(secrets_of(*again, 2), secret);
}

TEST_F(Sealing, TheSameCallsGiveTheSameBytes) {
  const auto run = [&] {
    behind = open_memory_store();
    const auto store = opened('a');
    put(*store, record_of(1));
    return secrets_of(*behind, 1);
  };
  EXPECT_EQ(run(), run());
}

TEST_F(Sealing, AWrongKeyOrNoneIsReportedAtOnce) {
  put(*opened('a'), record_of(1));
  for (const char key : {'\0', 'b'}) {
    const auto store = open(key);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::storage_sealed) << store.error().message;
  }
  EXPECT_EQ(open('b', "cd").error().code, ErrorCode::storage_sealed);
  EXPECT_EQ(secrets_of(*opened('a'), 1), secret);
}

TEST_F(Sealing, WhatIsStoredInPlainIsSealedAtOpen) {
  put(*behind, record_of(1));
  Record edited = record_of(2);
  put(*behind, edited);
  edited.revision = 2;
  put(*behind, edited);
  Changes changes;
  changes.machines.emplace_back().id = sealed_id(2);
  changes.machines[0].revision = 1;
  changes.machines[0].active = true;
  ASSERT_TRUE(write(*behind, changes));
  const auto store = opened('a');
  EXPECT_TRUE(is_sealed(secrets_of(*behind, 1)));
  EXPECT_TRUE(is_sealed(secrets_of(*behind, 2)));
  EXPECT_EQ(secrets_of(*store, 1), secret);
  EXPECT_EQ(secrets_of(*store, 2), secret);
  EXPECT_EQ((**read(*store, sealed_id(2))).revision, 2U);
  const auto reading = store->begin(Access::read);
  EXPECT_TRUE((**(*reading)->machine(sealed_id(2))).active);
  EXPECT_EQ(*(*reading)->find("key " + to_text(sealed_id(2))), sealed_id(2));
  EXPECT_EQ((*reading)->links(sealed_id(2))->references, std::vector<Id>{sealed_id(99)});
}

TEST_F(Sealing, AnotherKeyTakesOver) {
  put(*opened('a'), record_of(1));
  put(*opened('a'), record_of(2, 2));
  const std::string sealed = secrets_of(*behind, 1);
  const auto store = opened('b', "xa");
  EXPECT_EQ(secrets_of(*store, 1), secret);
  EXPECT_EQ(secrets_of(*store, 2), secret);
  EXPECT_EQ(secrets_of(*behind, 1), sealed);
  EXPECT_EQ(open('a').error().code, ErrorCode::storage_sealed);
  EXPECT_EQ(secrets_of(*opened('b'), 1), secret);
  EXPECT_EQ(secrets_of(*opened('b', "a"), 2), secret);
}

TEST_F(Sealing, AnOrganizationsKeyGoesWithIt) {
  const auto store = opened('a');
  put(*store, record_of(1));
  put(*store, record_of(2, 2));
  const Record copy = **read(*behind, sealed_id(1));
  ASSERT_TRUE(read(*behind, key_id_of(sealed_id(1)))->has_value());
  Changes changes;
  changes.erasures = {sealed_id(1)};
  ASSERT_TRUE(write(*store, changes));
  EXPECT_FALSE(read(*behind, key_id_of(sealed_id(1)))->has_value());
  EXPECT_TRUE(read(*behind, key_id_of(sealed_id(2)))->has_value());
  put(*behind, copy);
  EXPECT_EQ(secrets_of(*store, 1), "storage_corrupt");
  EXPECT_EQ(secrets_of(*store, 2), secret);
}

// A key that was drawn in a transaction without a commit must not be used later.
TEST_F(Sealing, AKeyThatWasNotCommittedIsForgotten) {
  const auto store = opened('a');
  {
    auto begun = store->begin(Access::write);
    Changes changes;
    changes.records.emplace_back().record = record_of(1);
    ASSERT_TRUE((*begun)->apply(changes));
    EXPECT_EQ((**(*begun)->record(sealed_id(1))).secrets, secret);
    EXPECT_FALSE(read(*store, sealed_id(1))->has_value());
  }
  EXPECT_FALSE(read(*behind, key_id_of(sealed_id(1)))->has_value());
  put(*store, record_of(1));
  EXPECT_EQ(secrets_of(*opened('a'), 1), secret);
}

// A commit that several threads share fails after each of them has called commit().
TEST_F(Sealing, AKeyWhoseSharedCommitFailsIsForgotten) {
  const auto folder = std::filesystem::temp_directory_path() / ("orlop-sealing-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  bool is_full = false;
  const WatchedWrites writes(SQLITE_OPEN_WAL, [&is_full](int) { return is_full ? SQLITE_FULL : SQLITE_OK; });
  auto file = open_sqlite_store((folder / "store.db").string(), Durability::full);
  ASSERT_TRUE(file);
  behind = std::move(*file);
  auto store = opened('a');
  const auto put_record = [](std::unique_ptr<Transaction> transaction) -> Result<void> {
    Changes changes;
    changes.records.emplace_back().record = record_of(1);
    ORLOP_CHECK(transaction->apply(changes));
    return transaction->commit();
  };
  is_full = true;
  EXPECT_FALSE(store->write(put_record));
  is_full = false;
  ASSERT_TRUE(store->write(put_record));
  EXPECT_EQ(secrets_of(*store, 1), secret);
  store = opened('a');  // a store without a cached key
  EXPECT_EQ(secrets_of(*store, 1), secret);
  store.reset();
  behind.reset();
  std::filesystem::remove_all(folder);
}

// Writers that share a commit see what the others wrote; if it fails, a key that they saw does not exist.
TEST_F(Sealing, AKeyThatAWriterOnlySawIsForgottenWithIt) {
  const auto store = opened('a');
  const auto other = opened('a');
  put(*other, record_of(1));
  {
    auto begun = store->begin(Access::write);
    EXPECT_EQ((**(*begun)->record(sealed_id(1))).secrets, secret);
  }
  Changes changes;
  changes.erasures = {sealed_id(1)};
  ASSERT_TRUE(write(*other, changes));
  put(*store, record_of(1));
  EXPECT_EQ(secrets_of(*opened('a'), 1), secret);
}

TEST_F(Sealing, WhatWasChangedBehindNeverOpens) {
  const auto store = opened('a');
  for (std::uint8_t number = 1; number <= 5; ++number) put(*store, record_of(number));
  put(*store, record_of(6, 6));
  const std::string good = secrets_of(*behind, 1);
  const std::string of_six = secrets_of(*behind, 6);
  const std::string of_two = secrets_of(*behind, 2);
  const std::vector<std::function<void(Record&)>> changes = {
      [&](Record& record) { record.secrets = secret; },
      [&](Record& record) { record.secrets = std::string(sealed_prefix); },
      [&](Record& record) { record.secrets = good.substr(0, good.size() / 2); },
      [&](Record& record) { record.secrets = good + "AAAA"; },
      [&](Record& record) { record.secrets = of_two; },
      [&](Record& record) { record.secrets = of_six; },
      [&](Record& record) { record.revision = 2; },
      [&](Record& record) { record.family = 8; },
      [&](Record& record) { record.organization = sealed_id(6); },
      [&](Record& record) { record.organization = sealed_id(77); },
  };
  for (std::size_t index = 0; index < changes.size(); ++index) {
    const Record before = **read(*behind, sealed_id(1));
    tamper(1, changes[index]);
    EXPECT_EQ(secrets_of(*store, 1), "storage_corrupt") << index;
    EXPECT_EQ(secrets_of(*opened('a'), 1), "storage_corrupt") << index;
    tamper(1, [&](Record& record) { record = before; });
    EXPECT_EQ(secrets_of(*store, 1), secret) << index;
  }
  for (std::size_t at = sealed_prefix.size(); at < good.size(); at += 3) {
    tamper(1, [&](Record& record) { record.secrets[at] = good[at] == 'A' ? 'B' : 'A'; });
    EXPECT_EQ(secrets_of(*store, 1), "storage_corrupt") << at;
    tamper(1, [&](Record& record) { record.secrets = good; });
  }
}

TEST_F(Sealing, ARangeThatMeetsWhatWasChangedIsAnError) {
  const auto store = opened('a');
  for (std::uint8_t number = 1; number <= 3; ++number) put(*store, record_of(number));
  tamper(3, [&](Record& record) { record.secrets = secret; });
  const auto again = opened('a');
  const auto reading = again->begin(Access::read);
  int visited = 0;
  RecordRange range;
  range.key = sealed_id(1);
  const Result<void> walked = (*reading)->records(range, [&](const Record&) { return ++visited, true; });
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().code, ErrorCode::storage_corrupt);
  EXPECT_EQ(visited, 1);
}

TEST_F(Sealing, AKeyOfAnotherOrganizationIsNoKey) {
  put(*opened('a'), record_of(1));
  put(*opened('a'), record_of(2, 2));
  Changes changes;
  changes.is_restore = true;
  changes.erasures = {key_id_of(sealed_id(1))};
  RecordWrite& write = changes.records.emplace_back();
  write.record = **read(*behind, key_id_of(sealed_id(1)));
  write.record.secrets = (**read(*behind, key_id_of(sealed_id(2)))).secrets;
  ASSERT_TRUE(Sealing::write(*behind, changes));
  EXPECT_EQ(secrets_of(*opened('a'), 1), "storage_corrupt");
}

TEST_F(Sealing, ASealThatWasTakenAwayIsNoticed) {
  put(*opened('a'), record_of(1));
  Changes changes;
  changes.erasures = {seal_id()};
  ASSERT_TRUE(write(*behind, changes));
  EXPECT_EQ(open('a').error().code, ErrorCode::storage_corrupt);
}

// OpenSSL's AEAD under another name, which counts its calls and fails on request.
class WatchedAead : public Aead {
 public:
  Result<std::string> encrypt(const Parameters& parameters, std::string_view text) override {
    ++encrypted;
    EXPECT_EQ(parameters.key.size(), key_size);
    EXPECT_EQ(parameters.nonce.size(), nonce_size);
    if (fails) return make_error(ErrorCode::external_failed, "the module is locked");
    return built_in_aead()->encrypt(parameters, text);
  }
  std::optional<std::string> decrypt(const Parameters& parameters, std::string_view sealed) override {
    ++decrypted;
    return fails ? std::nullopt : built_in_aead()->decrypt(parameters, sealed);
  }

  int encrypted = 0;
  int decrypted = 0;
  bool fails = false;
};

TEST_F(Sealing, TheAeadOfAHostEncryptsEverythingAndTheFormIsTheSame) {
  WatchedAead aead;
  const SealingKeys keys{std::string(32, 'a'), {}, &aead};
  {
    auto store = seal_store(behind, keys, random_source);
    ASSERT_TRUE(store) << store.error().message;
    put(**store, record_of(1));
    EXPECT_EQ(aead.encrypted, 2);  // the data key and the secrets
  }
  EXPECT_EQ(secrets_of(*opened('a'), 1), secret);
  auto again = seal_store(behind, keys, random_source);
  EXPECT_EQ(secrets_of(**again, 1), secret);
  EXPECT_EQ(aead.decrypted, 2);
  // The store moves to another key.
  ASSERT_TRUE(seal_store(behind, {std::string(32, 'b'), {std::string(32, 'a')}, &aead}, random_source));
  EXPECT_EQ(aead.encrypted, 3);
  EXPECT_EQ(secrets_of(*opened('b'), 1), secret);
}

TEST_F(Sealing, AnAeadThatFailsStoresNothing) {
  WatchedAead aead;
  auto store = seal_store(behind, {std::string(32, 'a'), {}, &aead}, random_source);
  ASSERT_TRUE(store);
  aead.fails = true;
  Changes changes;
  changes.records.emplace_back().record = record_of(1);
  const auto written = write(**store, changes);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "the module is locked");
  EXPECT_FALSE(read(*behind, sealed_id(1))->has_value());
}

TEST_F(Sealing, AKeyWithoutAnAeadIsRefused) {
  const auto store = seal_store(behind, {std::string(32, 'a'), {}, nullptr}, random_source);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::misuse);
  EXPECT_EQ(store.error().message,
            "a key for secrets needs the option aead: this library was built without OpenSSL (ORLOP_SQLITE=OFF)");
  EXPECT_TRUE(seal_store(behind, {{}, {}, nullptr}, random_source));
}

TEST(Cipher, OpensWhatItSealedAndNothingElse) {
  const Cipher cipher(std::string(32, 'a'));
  for (const std::string& text : {std::string(), std::string("x"), std::string(100'000, 'y'), std::string("a\0b", 3)}) {
    const std::string sealed = *cipher.seal(text, "here");
    EXPECT_EQ(cipher.open(sealed, "here"), text);
    EXPECT_EQ(cipher.open(sealed, "there"), std::nullopt);
    EXPECT_EQ(Cipher(std::string(32, 'b')).open(sealed, "here"), std::nullopt);
  }
  for (const char* garbage : {"", "AAAA", "not base64", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}) {
    EXPECT_EQ(cipher.open(garbage, "here"), std::nullopt);
  }
}

TEST(Cipher, NoncesDifferWhereverTextOrPlaceDiffer) {
  const Cipher cipher(std::string(32, 'a'));
  const auto nonce = [&](std::string_view text, std::string_view context) {
    return cipher.seal(text, context)->substr(0, 16);
  };
  EXPECT_EQ(nonce("text", "place"), nonce("text", "place"));
  EXPECT_NE(nonce("text", "place"), nonce("texu", "place"));
  EXPECT_NE(nonce("text", "place"), nonce("text", "plade"));
  EXPECT_NE(nonce("xtext", "place"), nonce("text", "placex"));
}

}  // namespace
}  // namespace orlop
