// The host's ports as the core's interfaces.
#pragma once

#include "base/port.h"
#include "orlop/ports.h"

namespace orlop::c {

class Instance;

// Each of these calls the host's release() when it is destroyed, once own() has said that the host's struct was taken over.

class HostTokenAuthenticator final : public TokenAuthenticator {
 public:
  HostTokenAuthenticator(const orlop_token_authenticator& given, Instance* host) : given_(given), host_(host) {}
  ~HostTokenAuthenticator() override;
  void own() { is_owned_ = true; }
  Result<Identity> verify(std::string_view token, Instant now) override;

 private:
  orlop_token_authenticator given_;
  Instance* host_;
  bool is_owned_ = false;
};

class HostPolicyEvaluator final : public PolicyEvaluator {
 public:
  HostPolicyEvaluator(const orlop_policy_evaluator& given, Instance* host) : given_(given), host_(host) {}
  ~HostPolicyEvaluator() override;
  void own() { is_owned_ = true; }
  Result<bool> allows(std::string_view policy, std::string_view input) override;

 private:
  orlop_policy_evaluator given_;
  Instance* host_;
  bool is_owned_ = false;
};

class HostGitProvider final : public GitProvider {
 public:
  HostGitProvider(const orlop_git_provider& given, Instance* host) : given_(given), host_(host) {}
  ~HostGitProvider() override;
  void own() { is_owned_ = true; }
  Result<RepositoryHook> find_hook(const Repository& repository) override;

 private:
  orlop_git_provider given_;
  Instance* host_;
  bool is_owned_ = false;
};

class HostWebhookSender final : public WebhookSender {
 public:
  // `engine`: the handle that the webhook sender is given.
  HostWebhookSender(const orlop_webhook_sender& given, Instance* host, orlop_engine* engine) : given_(given), host_(host), engine_(engine) {}
  ~HostWebhookSender() override;
  void own() { is_owned_ = true; }
  Result<void> deliver(const Delivery& delivery) override;

 private:
  orlop_webhook_sender given_;
  Instance* host_;
  orlop_engine* engine_;
  bool is_owned_ = false;
};

}  // namespace orlop::c
