// Custom domains of a simulation: by rules, their DNS records and certificates take time, or fail. Answers the question
// check_domains.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/port.h"
#include "base/result.h"
#include "model/value.h"
#include "sim/rules/distribution.h"
#include "wire/writer.h"

namespace orlop {

struct DomainRule {
  std::string domain = "*";  // * matches any text, ? one byte
  std::optional<double> probability;
  Distribution dns_after;          // from the last change of the custom domain until its DNS record is known
  Distribution certificate_after;  // from then until the certificate is issued
  std::string dns_fails;           // the DNS record is wrong from then on, for this reason
  std::string status;              // of a wrong record; empty: GENERIC_FAILURE
  std::string certificate_fails;   // no certificate is issued, for this reason
  Value given = Value::object();
};

struct CustomDomain {
  Id id;
  std::string name;
  Instant changed_at;
  bool has_certificate = false;
  bool uses_cdn = false;
};

// Threads: every function may be called from any thread.
class Domains final : public ExternalSystems {
 public:
  // Returns the custom domains of a service.
  using Find = std::function<Result<std::vector<CustomDomain>>(const Id& service)>;
  using Memory = std::vector<DomainRule>;  // in the order in which they were added
  Domains(Find find, std::function<Instant()> now) : find_(std::move(find)), now_(std::move(now)) {}

  // Adds one rule, or {"domains": [...]}: all or nothing. The last added rule that matches a domain applies. Error
  // invalid.
  Result<void> add(const Value& given);
  void clear();
  bool is_empty() const;
  // Writes {"domains": [...]}, by which restore() replaces all rules.
  void write(Writer& out) const;
  Result<void> restore(const Value& given);
  Memory memory() const;
  void go_back(Memory memory);

  // Only check_domains, and only while there are rules: a domain that no rule matches is correct.
  Result<std::string> ask(std::string_view question, std::string_view input) override;
  bool answers(std::string_view question) const override;

 private:
  Find find_;
  std::function<Instant()> now_;
  mutable std::mutex mutex_;
  Memory rules_;
};

}  // namespace orlop
