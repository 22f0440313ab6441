// The host's ports as the core's interfaces.
#pragma once

#include "base/port.h"
#include "orlop/ports.h"

namespace orlop::c {

class Host;

// Each of these calls the host's release() when it is destroyed, once own() has said that the host's struct was taken over.

class HostVerifier final : public Verifier {
 public:
  HostVerifier(const orlop_verifier& given, Host* host) : given_(given), host_(host) {}
  ~HostVerifier() override;
  void own() { is_owned_ = true; }
  Result<Identity> verify(std::string_view token, Instant now) override;

 private:
  orlop_verifier given_;
  Host* host_;
  bool is_owned_ = false;
};

class HostJudge final : public Judge {
 public:
  HostJudge(const orlop_judge& given, Host* host) : given_(given), host_(host) {}
  ~HostJudge() override;
  void own() { is_owned_ = true; }
  Result<bool> allows(std::string_view policy, std::string_view input) override;

 private:
  orlop_judge given_;
  Host* host_;
  bool is_owned_ = false;
};

class HostGitHost final : public GitHost {
 public:
  HostGitHost(const orlop_git_host& given, Host* host) : given_(given), host_(host) {}
  ~HostGitHost() override;
  void own() { is_owned_ = true; }
  Result<RepositoryHook> find_hook(const Repository& repository) override;

 private:
  orlop_git_host given_;
  Host* host_;
  bool is_owned_ = false;
};

class HostCourier final : public Courier {
 public:
  // `engine`: the handle that the courier is given.
  HostCourier(const orlop_courier& given, Host* host, orlop_engine* engine) : given_(given), host_(host), engine_(engine) {}
  ~HostCourier() override;
  void own() { is_owned_ = true; }
  Result<void> deliver(const Delivery& delivery) override;

 private:
  orlop_courier given_;
  Host* host_;
  orlop_engine* engine_;
  bool is_owned_ = false;
};

}  // namespace orlop::c
