// Releases: what a step knows of them, how many are kept, and what they survive.
#include "releases/release_records.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "whole/held_steps.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

class Releases : public HeldStepsTest<> {
 protected:
  Releases() { open_keeping({}); }
  void open_keeping(std::optional<std::uint32_t> kept) {
    open([&](Settings& settings) { settings.releases_kept = kept; });
  }

  const Step& begin() {
    web_ = platform_->id_of("container");
    platform_->request("POST", "/container/" + web_ + "/deploy");
    tick();
    EXPECT_FALSE(driver_.steps.empty());
    return driver_.steps.back();
  }
  void set(std::string_view key, std::string_view value) {
    platform_->request("POST", "/container/" + platform_->id_of("container") + "/environmentVariable",
                       R"({"key": ")" + std::string(key) + R"(", "value": ")" + std::string(value) + R"("})");
  }
  Value list() { return parse_json(platform_->request("GET", "/service/" + web_ + "/release")).value(); }
  Value configuration(int release) {
    return parse_json(platform_->request("GET", "/service/" + web_ + "/release/" + std::to_string(release))).value();
  }
  // Bytes of all releases of the container.
  std::size_t stored_bytes() {
    std::size_t bytes = 0;
    Id above = parse_id(web_).value();
    auto transaction = store_->begin(Access::read);
    EXPECT_TRUE(transaction);
    for (const FamilyNumber family : {release_list_number, release_number}) {
      const Id parent = above;
      EXPECT_TRUE((*transaction)->records({.key = parent, .family = family}, [&](const Record& record) {
        above = record.id;
        bytes += record.body.size() + record.secrets.size();
        return true;
      }));
    }
    return bytes;
  }
  std::size_t count() { return list().find("results")->items().size(); }

  std::string web_;
};

TEST_F(Releases, TellAStepWhatRuns) {
  const Step first = begin();
  EXPECT_EQ(first.release, 0U);
  EXPECT_FALSE(first.is_unchanged);
  ASSERT_NE(first.released, nullptr);
  EXPECT_TRUE(first.released->digest.starts_with("sha256:"));
  end(ReportKind::succeeded);

  const Step same = begin();
  EXPECT_EQ(same.release, 1U);
  EXPECT_TRUE(same.is_unchanged);
  EXPECT_EQ(same.released->digest, first.released->digest);
  end(ReportKind::failed, "no image");

  // What a failed step has left is not known.
  EXPECT_FALSE(begin().is_unchanged);
  end(ReportKind::succeeded);
  EXPECT_TRUE(begin().is_unchanged);
  end(ReportKind::succeeded);

  set("MODE", "calm");
  const Step changed = begin();
  EXPECT_EQ(changed.release, 3U);
  EXPECT_FALSE(changed.is_unchanged);
  end(ReportKind::succeeded);

  platform_->request("POST", "/container/" + web_ + "/stop");
  tick();
  EXPECT_EQ(driver_.steps.back().released, nullptr) << "a stop makes no release";
  end(ReportKind::succeeded);
  EXPECT_FALSE(begin().is_unchanged) << "nothing runs";
}

TEST_F(Releases, AreNotMadeByAStepThatWasNotNeeded) {
  begin();
  end(ReportKind::succeeded);
  begin();
  end(ReportKind::unchanged);
  EXPECT_EQ(count(), 1U);
  const std::string status = platform_->request("GET", "/container/" + web_ + "/status");
  EXPECT_NE(status.find(R"({"step_name":"DEPLOYMENT","status":"SKIP")"), std::string::npos) << status;
  EXPECT_NE(status.find(R"("state":"DEPLOYED","service_deployment_status":"UP_TO_DATE")"), std::string::npos) << status;
  begin();
  end(ReportKind::failed, "no contact");
  begin();
  end(ReportKind::unchanged);
  EXPECT_TRUE(begin().is_unchanged) << "the driver has found that the release runs";
  end(ReportKind::succeeded);
  EXPECT_EQ(count(), 2U);
}

TEST_F(Releases, KeepTheConfigurationThatTheStepWasGiven) {
  begin();
  platform_->request("PUT", "/container/" + web_,
                     R"({"name": "web", "registry_id": ")" + platform_->id_of("container_registry") +
                         R"(", "image_name": "acme/edited", "tag": "9", "healthchecks": {}})");
  end(ReportKind::succeeded);
  EXPECT_NE(configuration(1).find("configuration")->text_or("image_name", ""), "acme/edited");
}

TEST_F(Releases, ThatAreRolledBackNameTheirImage) {
  const Step first = begin();
  EXPECT_EQ(first.configuration.find("image_digest"), std::string::npos);
  end(ReportKind::succeeded, R"({"image_digest": "sha256:0a"})");
  begin();
  end(ReportKind::succeeded, R"({"image_digest": "sha256:0b"})");
  platform_->request("POST", "/service/" + web_ + "/rollback");
  tick();
  const Step& back = driver_.steps.back();
  EXPECT_EQ(parse_stored(back.configuration)->text_or("image_digest", ""), "sha256:0a");
  EXPECT_EQ(back.released->digest, first.released->digest) << "the image is no part of the configuration";
  end(ReportKind::succeeded, R"({"image_digest": "sha256:0a"})");
  EXPECT_EQ(parse_stored(begin().configuration)->text_or("image_digest", ""), "") << "that of the tag is wanted";
}

TEST_F(Releases, OfAStepThatIsTakenUpAgainAreMade) {
  begin();
  open_keeping({});
  tick();
  ASSERT_TRUE(driver_.steps.back().resumed);
  ASSERT_NE(driver_.steps.back().released, nullptr);
  end(ReportKind::succeeded);
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(configuration(1).find("release")->as_integer(), 1);
}

TEST_F(Releases, BeyondTheNewestOnesAreErased) {
  for (int at = 1; at <= 25; ++at) {
    set("V" + std::to_string(at), "x");
    begin();
    end(ReportKind::succeeded);
  }
  EXPECT_EQ(count(), 20U);
  const auto has = [&](int release, const std::string& key) {
    return to_json(configuration(release)).find("\"" + key + "\"") != std::string::npos;
  };
  for (int release = 6; release <= 25; ++release) {
    EXPECT_TRUE(has(release, "V" + std::to_string(release)));
    EXPECT_FALSE(has(release, "V" + std::to_string(release + 1)));
  }
  EXPECT_EQ(platform_->ask("GET", "/service/" + web_ + "/release/5").status, 404);

  open_keeping(1);
  begin();
  end(ReportKind::succeeded);
  EXPECT_EQ(count(), 1U);
  EXPECT_TRUE(has(26, "V25"));

  open_keeping(0);
  EXPECT_EQ(begin().released, nullptr);
  end(ReportKind::succeeded);
  EXPECT_EQ(count(), 1U) << "those that are there stay";
}

TEST_F(Releases, OfAVariableThatChangesCostLittle) {
  for (int at = 0; at < 30; ++at) set("VARIABLE_" + std::to_string(at), std::string(40, 'x'));
  std::vector<std::size_t> sizes;
  for (int round = 0; round < 3; ++round) {
    set("LAST_" + std::to_string(round), "x");
    begin();
    end(ReportKind::succeeded);
    const std::size_t bytes = stored_bytes();
    sizes.push_back(bytes);
  }
  EXPECT_LT(sizes[2] - sizes[1], 1500U);
  RecordProperty("bytes_of_a_release", static_cast<int>(sizes[2] - sizes[1]));
}

TEST_F(Releases, GoWithTheService) {
  begin();
  end(ReportKind::succeeded);
  platform_->request("DELETE", "/container/" + web_);
  tick();
  end(ReportKind::succeeded);
  EXPECT_EQ(platform_->ask("GET", "/service/" + web_ + "/release").status, 404);
  EXPECT_EQ(platform_->ask("GET", "/container/" + web_).status, 404);
}

}  // namespace
}  // namespace orlop
