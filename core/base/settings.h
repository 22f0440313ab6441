// What a host may choose when it opens an engine. Plain data; the defaults are those of the reference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/port.h"

namespace orlop {

// What becomes of a deployment request while another one runs in its environment.
enum class BusyPolicy : std::uint8_t { queue, reject };

// Whether a request from outside must prove who sends it.
enum class Authentication : std::uint8_t { off, required };

struct Settings {
  std::string brand = "platform";    // the word in names such as MANAGED_BY_PLATFORM
  BusyPolicy busy = BusyPolicy::queue;
  std::uint32_t max_parallel_builds = 4;    // per environment
  std::uint32_t max_parallel_deploys = 16;  // per environment, inside one stage
  Duration step_deadline = seconds(3600);   // of a step that has no bound of its own
  Duration cancel_deadline = seconds(600);  // of a service that is being canceled
  std::uint32_t history_kept = 50;          // ended requests kept per environment; at least 20
  Authentication authentication = Authentication::off;
  std::uint32_t rate_limit = 0;             // requests per hour of one token, from outside; 0: no limit
  std::vector<std::string> kubernetes_versions;  // that clusters are upgraded through, in their order; empty: the built-in ones

  bool require_cluster = true;  // services are deployed only to a cluster that is DEPLOYED or RESTARTED
  bool open_catalogs = false;   // regions and versions that the built-in catalogues do not know are accepted

  std::vector<std::string> webhook_allow;  // hosts and ranges of addresses that webhooks may lead to although they are not public

  // Given by the host; each must outlive the engine. nullptr: it has none.
  TokenAuthenticator* token_authenticator = nullptr;
  PolicyEvaluator* policy_evaluator = nullptr;
  GitProvider* git_provider = nullptr;
  WebhookSender* webhook_sender = nullptr;
};

}  // namespace orlop
