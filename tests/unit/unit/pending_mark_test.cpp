// The freshness in answers while a change is still to be written into many rows.
#include <gtest/gtest.h>

#include <optional>

#include "records/variables/reach.h"

namespace orlop {
namespace {

constexpr Instant changed_at{1'000};

Machine service_of(Freshness freshness, std::optional<Instant> started_at, ConfigurationState configuration) {
  Machine service;
  service.freshness = static_cast<std::uint8_t>(freshness);
  service.timing.started_at = started_at;
  service.configuration = configuration;
  return service;
}

TEST(PendingMark, MakesADeployedServiceOutOfDate) {
  const Machine deployed = service_of(Freshness::up_to_date, Instant{999}, ConfigurationState::read);
  EXPECT_EQ(freshness_under(changed_at, deployed), Freshness::out_of_date);
  EXPECT_EQ(freshness_under(std::nullopt, deployed), Freshness::up_to_date);
}

TEST(PendingMark, LeavesAServiceThatHasReadTheChange) {
  EXPECT_EQ(freshness_under(changed_at, service_of(Freshness::up_to_date, Instant{1'001}, ConfigurationState::read)),
            Freshness::up_to_date);
}

TEST(PendingMark, IsNotReadByADeploymentThatBeganWithItOrReadsLater) {
  EXPECT_EQ(freshness_under(changed_at, service_of(Freshness::up_to_date, changed_at, ConfigurationState::read)),
            Freshness::out_of_date);
  EXPECT_EQ(freshness_under(changed_at, service_of(Freshness::up_to_date, Instant{1'001}, ConfigurationState::pending)),
            Freshness::out_of_date);
}

TEST(PendingMark, LeavesAServiceThatWasNeverDeployed) {
  EXPECT_EQ(freshness_under(changed_at, service_of(Freshness::never_deployed, std::nullopt, ConfigurationState::none)),
            Freshness::never_deployed);
}

}  // namespace
}  // namespace orlop
