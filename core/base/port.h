// Ports: external systems beside the driver. A host gives those it has; without one the engine answers as the
// reference says. Calls come on the thread that called the engine, with no lock held, and must not call the engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"

namespace orlop {

// Whom a token that the engine did not issue proves.
struct Identity {
  std::string subject;  // never the same for two people; 1 to 255 bytes
  std::string email;    // "" if it is not known
  std::string name;     // for people; "" if it is not known
};

// Checks tokens of people, such as the JWT of an identity provider.
class TokenAuthenticator {
 public:
  virtual ~TokenAuthenticator() = default;
  // Errors: driver_failed if it cannot tell, which fails the request; any other refuses the token, as one that does not hold at `now`.
  virtual Result<Identity> verify(std::string_view token, Instant now) = 0;
};

// Evaluates requests by policies that tokens are bound to, such as those of Open Policy Agent.
class PolicyEvaluator {
 public:
  virtual ~PolicyEvaluator() = default;
  // Whether `policy` allows what `input` describes: a JSON object of `method`, `path`, `token` (its name), `role` (its name) and
  // `organization_id`. An error refuses; driver_failed: it cannot tell.
  virtual Result<bool> allows(std::string_view policy, std::string_view input) = 0;
};

// A git repository, as a service names it.
struct Repository {
  std::string_view provider;  // "GITHUB", "GITLAB", "BITBUCKET"
  std::string_view url;
  std::string_view token;     // of the git token that the service uses; "" if it uses none
};

// Numbers are public.
enum class HookPresence : std::uint8_t {
  unknown = 0,  // the check was impossible
  absent = 1,   // the repository has no hook of the platform
  present = 2,
};

struct RepositoryHook {
  HookPresence presence = HookPresence::unknown;
  std::vector<std::string> events;  // to which the hook is subscribed, by the provider's names
};

// Looks at the repositories of git providers.
class GitProvider {
 public:
  virtual ~GitProvider() = default;
  // An error counts as HookPresence::unknown.
  virtual Result<RepositoryHook> find_hook(const Repository& repository) = 0;
};

// One message to a receiver of an organization. Its id is stored before it is handed over and never changes: receivers may use it to
// find out what they have seen.
struct Delivery {
  Id id;
  Id webhook;
  Id organization;
  std::uint32_t attempt = 1;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// Carries messages out. Its answers come by Engine::delivered.
class WebhookSender {
 public:
  virtual ~WebhookSender() = default;
  // Returns at once. An error counts as an attempt that failed with its message.
  virtual Result<void> deliver(const Delivery& delivery) = 0;
};

// How an attempt to deliver went.
struct DeliveryReport {
  Id delivery;
  std::uint16_t status = 0;  // the receiver's HTTP status; 0: it gave none
  std::string text;          // why there is no status, or the beginning of the receiver's answer
};

}  // namespace orlop
