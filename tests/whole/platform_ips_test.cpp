// Every caller may read the addresses of the platform, in the requested format.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"

namespace orlop {
namespace {

class PlatformIps : public testing::Test {
 protected:
  PlatformIps() : clock_(Instant{1'767'225'600'000}) {
    EngineOptions options;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.authentication = Authentication::required;
    options.settings.platform_ips = {"192.0.2.1", "198.51.100.0/24"};
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened);
    engine_ = std::move(*opened);
  }

  // Sends a request from outside, without a token.
  Reply ask(std::string_view accept, std::string_view path = "/ips", std::string_view method = "GET") {
    Request request;
    request.method = method;
    request.path = path;
    request.trust = Trust::outside;
    if (!accept.empty()) request.headers.emplace_back("Accept", accept);
    return *engine_->dispatch(request);
  }

  static std::string type_of(const Reply& reply) { return reply.headers.front().second; }

  VirtualClock clock_;
  SeededRandomSource random_source_{7};
  std::unique_ptr<Engine> engine_;
};

TEST_F(PlatformIps, AskForNoToken) {
  EXPECT_EQ(ask("").body, R"({"ips":["192.0.2.1","198.51.100.0/24"]})");
  EXPECT_EQ(ask("", "/organization").status, 401);
  EXPECT_EQ(ask("", "/ips", "POST").status, 401);  // authentication precedes the lookup of the route
}

TEST_F(PlatformIps, AreTextForThoseWhoAskForIt) {
  for (const std::string_view accept : {"text/plain", "text/plain, */*", "text/plain, application/json"}) {
    const Reply reply = ask(accept);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "192.0.2.1\n198.51.100.0/24\n") << accept;
    EXPECT_TRUE(type_of(reply).starts_with("text/plain")) << type_of(reply);
  }
  for (const std::string_view accept : {"", "*/*", "application/json", "application/json, text/plain", "image/png"}) {
    EXPECT_EQ(type_of(ask(accept)), "application/json") << accept;
  }
}

}  // namespace
}  // namespace orlop
