// An engine that requires authentication, with two organizations: one that has a record of every family, and another.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "model/registry.h"
#include "model/value.h"
#include "rest/route.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "unit/people.h"

namespace orlop::tests {

class Guarded {
 public:
  explicit Guarded(std::uint32_t rate_limit = 0);

  Engine& engine() { return *engine_; }
  VirtualClock& clock() { return clock_; }

  // Sends a request as the host.
  Reply ask(std::string_view method, std::string_view path, std::string_view body = "");
  // Sends a request from outside; "" for no Authorization header.
  Reply ask_as(std::string_view authorization, std::string_view method, std::string_view path,
               std::string_view body = "");
  // Sends a request with these headers: as the host if there is no Authorization among them.
  using Headers = std::vector<std::pair<std::string_view, std::string_view>>;
  Reply ask_with(const Headers& headers, std::string_view method, std::string_view path, std::string_view body = "");
  // Sends a POST as the host, which must succeed; returns a member of the answer.
  std::string make(std::string_view path, std::string_view body, std::string_view member = "id");

  const std::string& organization() const { return organization_; }
  const std::string& other_organization() const { return other_; }
  std::string token_of(const std::string& organization, std::string_view role_id);

  // Returns the path of the route, with the id of a record of organization() for each parameter.
  std::string filled(const Route& route);
  std::string id_for(const Route& route, const std::string& parameter);
  // Returns the sample with ids of records of organization() in place of families' names.
  std::string with_ids(std::string_view sample);
  std::uint64_t last_event() { return *engine_->last_event(); }

 private:
  Reply answer(const Request& request);
  std::string id_of(const Family& family);
  std::string id_of_variable();
  std::string id_of_access();
  std::string id_of_blueprint();
  std::string id_of_application();

  VirtualClock clock_;
  SeededRandomSource random_source_;
  People people_;
  std::unique_ptr<Engine> engine_;
  std::string organization_;
  std::string other_;
  std::map<FamilyNumber, std::string> ids_;
  std::string access_;
  int tokens_ = 0;
};

Value parsed(const Reply& reply);
std::string header_of(const Reply& reply, std::string_view name);

}  // namespace orlop::tests
