// Plays every transcript of tests/transcripts/rest against an engine in memory.
#include "transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "rest/route.h"

namespace orlop::tests {
namespace {

std::vector<std::filesystem::path> transcripts() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ORLOP_TEST_DATA) + "/transcripts/rest")) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class RestTranscript : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RestTranscript, Holds) { Transcript().play(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Files, RestTranscript, testing::ValuesIn(transcripts()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(RestTranscripts, AskForEveryOperation) {
  std::set<std::string> asked;
  for (const std::filesystem::path& file : transcripts()) {
    Transcript transcript;
    transcript.play(file);
    asked.insert(transcript.served().begin(), transcript.served().end());
  }
  // Shown in tests/python/test_rest_of_interface.py: they need a second account, an alias, or networks of the customer,
  // which the platform of the transcripts does not have.
  const std::set<std::string> shown_elsewhere = {
      "POST /account/rewardClaim", "DELETE /database/{databaseId}/application/{targetApplicationId}",
      "PUT /organization/{organizationId}/cluster/{clusterId}/eks-anywhere/commit",
      "PUT /organization/{organizationId}/cluster/{clusterId}/karpenterPrivateSubnetIds"};
  for (const Route& route : all_routes()) {
    const std::string operation = std::string(to_string(route.operation.method)) + " " + route.path;
    if (shown_elsewhere.contains(operation)) continue;
    if (operation == "POST /agenticWorkflow/{agenticWorkflowId}/cancelDeployment")
      continue;  // workflows are never deployed
                 // here
    // Only built-in variables have a wider scope, and they are not secret.
    if (operation == "POST /project/{projectId}/secret/{secretId}/override") continue;
    EXPECT_TRUE(asked.contains(operation))
        << "no transcript shows the success of " << operation << "; add to a file of tests/transcripts/rest, with ids "
        << "and a body where it takes one:\n"
        << operation << " -> " << route.operation.status;
  }
}

// A member that the description promises and nothing ever writes is removed from the description, or filled. These are
// filled where no transcript can show it.
constexpr std::string_view filled_elsewhere[] = {
    // Shown in tests/python/test_addresses.py: the driver of the transcripts returns none.
    "Application.addresses",
    "ArgocdApp.addresses",
    "Container.addresses",
    "Database.addresses",
    "Helm.addresses",
    "Job.addresses",
    "ReleaseVersion.image_digest",
    "Terraform.addresses",
    // As in the status of the service.
    "AutoDeployStatus.observation",
    "AutoDeployStatus.running_state",
    // Shown in tests/python/test_billing.py, with a refused payment.
    "BillingStatus.message",
    // As for every task; shown for a cluster analysis.
    "BlueprintPreview.error_message",
    // The interface names them, but only a host's cloud provider knows them: absent or null.
    "Cluster.cpu",
    "Cluster.estimated_cloud_provider_cost",
    "Cluster.memory",
    "ClusterFeature.cost_per_month",
    "ClusterFeature.cost_per_month_in_cents",
    "ClusterFeature.currency_code",
    "ClusterFeature.platform_feature_documentation",
    "ClusterFeatureResponse.cost_per_month",
    "ClusterFeatureResponse.cost_per_month_in_cents",
    "ClusterFeatureResponse.currency_code",
    "ClusterFeatureResponse.platform_feature_documentation",
    "ContainerRegistry.cluster",
    "OrganizationEventResponse.original_change",
    "OrganizationEventResponse.user_agent",
    // Reported by a driver that knows them.
    "ApplicationGitRepository.deployed_commit_tag",
    "GitRepository.deployed_commit_tag",
    "GitRepository.git_token_name",
    "ReleaseVersion.git_commit_tag",
    "ApplicationGitRepositoryOrNull.deployed_commit_contributor",
    "ApplicationGitRepositoryOrNull.deployed_commit_date",
    "ApplicationGitRepositoryOrNull.deployed_commit_id",
    "ApplicationGitRepositoryOrNull.deployed_commit_tag",
    "ApplicationGitRepositoryOrNull.git_token_name",
    // Shown in tests/whole/cron_jobs_test.cpp: the transcripts use a driver of the host.
    "CronRun.ended_at",
    "CronRun.id",
    "CronRun.reason",
    "CronRun.scheduled_at",
    "CronRun.started_at",
    "CronRun.state",
    "CronRuns.hint",
    "CronRuns.next_run_at",
    // With a service account of Google, a git provider, a webhook sender, or a hundred violations; each has separate
    // tests.
    "EnvironmentActionStatus.total_deployment_duration_in_seconds",
    "GcpCredentials.project_id",
    "GcpCredentials.token_lifetime_seconds",
    "GitWebhookStatusResponse.missing_events",
    "ValidationProblem.violations_omitted",
    "WebhookEventResponse.last_attempt_at",
    "WebhookEventResponse.target_response_body",
};

TEST(RestTranscripts, FillEveryMemberThatIsDescribed) {
  FilledMembers members;
  for (const std::filesystem::path& file : transcripts()) {
    Transcript transcript;
    transcript.play(file);
    members.add(transcript.members());
  }
  EXPECT_GT(members.described_count(), 300U);
  for (const std::string& member : members.never_filled()) {
    const bool is_known = std::ranges::find(filled_elsewhere, member) != std::end(filled_elsewhere);
    EXPECT_TRUE(is_known) << member << " is described, and no answer of tests/transcripts/rest fills it; add a request "
                          << "that does, or to `filled_elsewhere` of tests/unit/endpoints/transcript_test.cpp:\n    \""
                          << member << "\",";
  }
}

TEST(Transcript, SeesWhatDoesNotHold) {
  Transcript transcript;
  EXPECT_EQ(transcript.play_line(R"(POST /organization {"name": "acme", "plan": "FREE"} -> 201)"), "");
  EXPECT_EQ(transcript.play_line("  name = \"acme\""), "");
  EXPECT_EQ(transcript.play_line("  id => organization"), "");
  EXPECT_NE(transcript.play_line("  name = \"other\""), "");
  EXPECT_NE(transcript.play_line("  name absent"), "");
  EXPECT_NE(transcript.play_line("  no_such_member = 1"), "");
  EXPECT_NE(transcript.play_line("GET /organization/{organization} -> 404"), "");
  EXPECT_NE(transcript.play_line("steps deploy nothing"), "");
  EXPECT_NE(transcript.play_line("release nothing"), "");
  EXPECT_NE(transcript.play_line("sing"), "");
}

}  // namespace
}  // namespace orlop::tests
