// A platform of tests and benchmarks: a record of every family that can be created, each made from its sample by a
// request at its first use. Throws std::runtime_error where a request gets no answer, or the wrong one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine.h"
#include "model/family.h"
#include "model/value.h"
#include "rest/route.h"

namespace orlop {

class Platform {
 public:
  // Changes a sample before it is sent.
  using Change = std::function<void(const Family& family, Value& body)>;
  // Called with the answer to each request of a route.
  using Check = std::function<void(const Route& route, const Reply& reply)>;

  // Creates nothing yet. The engine must outlive this.
  explicit Platform(Engine& engine, Change change = nullptr, Check check = nullptr)
      : engine_(engine), change_(std::move(change)), check_(std::move(check)) {}
  // Accesses the same platform through another engine.
  Platform(Engine& engine, const Platform& other)
      : engine_(engine), change_(other.change_), check_(other.check_), ids_(other.ids_), made_(other.made_) {}

  Engine& engine() { return engine_; }

  void make_all();
  // Creates another record of this family, below the same parent with a new name; returns its id, "" if it was refused.
  std::string make_another(const Family& family);
  // Returns the id of the family's record, which is created if it does not exist yet.
  std::string id_of(const Family& family);
  std::string id_of(std::string_view family);

  // Sets the family's record to one that the test has created.
  void take(const Family& family, const std::string& id) { ids_[family.number] = id; }

  // Returns the family's sample, with ids of this platform.
  Value sample_of(const Family& family);
  Reply ask(std::string_view method, std::string_view path, std::string_view body = "");
  Reply ask(const Route& route, std::string_view path, std::string_view body = "");
  // Returns the body of the reply, which must be a success.
  std::string request(std::string_view method, std::string_view path, std::string_view body = "");
  // Returns the id of what the request creates.
  std::string create(std::string_view path, std::string_view body);
  // Creates an environment of the project, on the organization's cluster.
  std::string create_environment(const std::string& name);
  std::string create_container(const std::string& environment, const std::string& name);
  // Returns everything that the engine shows to clients: its events, and the answer to every GET.
  std::string seen();
  // Returns the route's path with an id for each parameter.
  std::string path_of(const Route& route);

 private:
  std::string id_for(const Route& route, const std::string& parameter);
  std::string make(const Family& family, const Value& body);

  Engine& engine_;
  Change change_;
  Check check_;
  std::map<FamilyNumber, std::string> ids_;
  int made_ = 0;
};

}  // namespace orlop
