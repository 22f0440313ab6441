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
  // The same platform in another engine.
  Platform(Engine& engine, const Platform& other)
      : engine_(engine), change_(other.change_), ids_(other.ids_), made_(other.made_) {}

  // One record of every family.
  void make_all();
  // One more of this family, below the same parent and named anew; its id, "" if it was refused.
  std::string make_another(const Family& family);
  // Of the family's record, which is made if it is not there yet.
  std::string id_of(const Family& family);
  std::string id_of(std::string_view family);

  // From here on the family's record is this one, which the test has made.
  void take(const Family& family, const std::string& id) { ids_[family.number] = id; }

  // Its sample, with the ids of this platform in it.
  Value sample_of(const Family& family);
  Reply ask(std::string_view method, std::string_view path, std::string_view body = "");
  // Everything that the engine shows from outside: its events, and the answer to every GET.
  std::string seen();
  // The route's path with an id for each parameter.
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
