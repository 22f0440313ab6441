// A platform with a record of every family that can be created, made from the samples by requests.
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

  // Creates nothing yet. The engine must outlive this.
  explicit Platform(Engine& engine, Change change = nullptr) : engine_(engine), change_(std::move(change)) {}
  // Accesses the same platform through another engine.
  Platform(Engine& engine, const Platform& other)
      : engine_(engine), change_(other.change_), ids_(other.ids_), made_(other.made_) {}

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
  // Returns everything that the engine shows to clients: its events, and the answer to every GET.
  std::string seen();
  // Returns the route's path with an id for each parameter.
  std::string path_of(const Route& route);

 private:
  std::string id_for(const Route& route, const std::string& parameter);
  std::string make(const Family& family, const Value& body);

  Engine& engine_;
  Change change_;
  std::map<FamilyNumber, std::string> ids_;
  int made_ = 0;
};

}  // namespace orlop
