// The host's ports as the core's interfaces.
#pragma once

#include "base/port.h"
#include "callbacks.h"
#include "orlop/ports.h"

namespace orlop::c {

class HostTokenAuthenticator final : public TokenAuthenticator, public HostPort<orlop_token_authenticator> {
 public:
  using HostPort::HostPort;
  Result<Identity> verify(std::string_view token, Instant now) override;
};

class HostPolicyEvaluator final : public PolicyEvaluator, public HostPort<orlop_policy_evaluator> {
 public:
  using HostPort::HostPort;
  Result<bool> allows(std::string_view policy, std::string_view input) override;
};

class HostGitProvider final : public GitProvider, public HostPort<orlop_git_provider> {
 public:
  using HostPort::HostPort;
  Result<RepositoryHook> find_hook(const Repository& repository) override;
};

class HostWebhookSender final : public WebhookSender, public HostPort<orlop_webhook_sender> {
 public:
  using HostPort::HostPort;
  Result<void> deliver(const Delivery& delivery) override;
};

}  // namespace orlop::c
