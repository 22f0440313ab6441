// The catalogue of Kubernetes versions: the version of a new cluster, and the order of versions.
#include "catalogs/kubernetes_version.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

TEST(KubernetesVersion, OfANewClusterCanBeUpgraded) {
  EXPECT_EQ(next_kubernetes_version({}, first_kubernetes_version({})), "1.33");
  EXPECT_EQ(next_kubernetes_version({}, "1.33"), "");
}

TEST(KubernetesVersion, ComesFromTheHostsCatalogueIfThereIsOne) {
  const std::vector<std::string> given = {"1.9", "1.10-lts", "1.10-edge"};
  EXPECT_EQ(first_kubernetes_version(given), "1.10-lts");
  EXPECT_EQ(next_kubernetes_version(given, "1.9"), "1.10-lts");
  EXPECT_EQ(next_kubernetes_version(given, "1.10-lts"), "1.10-edge");
  EXPECT_EQ(next_kubernetes_version(given, "1.10-edge"), "");
}

TEST(KubernetesVersion, ThatTheCatalogueHasLeftBehindGoesOnWithTheNextNewer) {
  const std::vector<std::string> given = {"1.30", "v1.31", "1.32"};
  EXPECT_EQ(next_kubernetes_version(given, "1.9"), "1.30");
  EXPECT_EQ(next_kubernetes_version(given, "1.30.7"), "v1.31");
  EXPECT_EQ(next_kubernetes_version(given, "1.31"), "1.32");
  EXPECT_EQ(next_kubernetes_version(given, "1.40"), "");
  EXPECT_EQ(next_kubernetes_version(given, "2"), "");
}

TEST(KubernetesVersion, MayBeTheOnlyOne) {
  const std::vector<std::string> given = {"1.30"};
  EXPECT_EQ(first_kubernetes_version(given), "1.30");
  EXPECT_EQ(next_kubernetes_version(given, "1.30"), "");
}

}  // namespace
}  // namespace orlop
