// What a resource family is: one constexpr description, from which validation, storage, routes, documents and tests follow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/id.h"
#include "base/instant.h"
#include "model/field.h"
#include "model/plan_flag.h"
#include "model/role.h"
#include "model/value.h"
#include "base/family_number.h"

namespace orlop {

// Where records of a family are addressed. The collection is always /parent/{parentId}/segment (a root: /segment).
enum class PathForm : std::uint8_t {
  flat,    // /container/{containerId}
  nested,  // /organization/{organizationId}/containerRegistry/{containerRegistryId}
};

// Where a name must be the only one of its kind.
enum class NameScope : std::uint8_t { none, everywhere, organization, parent };

enum class MachineKind : std::uint8_t { none, service, cluster, environment };

// Which of the five plain verbs a family serves; numbers are bits.
enum class Verb : std::uint8_t { create = 1, list = 2, read = 4, edit = 8, remove = 16 };
constexpr std::uint8_t operator|(Verb left, Verb right) { return static_cast<std::uint8_t>(static_cast<int>(left) | static_cast<int>(right)); }
constexpr std::uint8_t operator|(std::uint8_t left, Verb right) { return static_cast<std::uint8_t>(left | static_cast<std::uint8_t>(right)); }
inline constexpr std::uint8_t all_verbs = 31;

// What a plain verb of the family takes, where it is not what all families take (rest/route.cpp).
struct VerbNeed {
  Verb verb;
  Level level;
};

// A value that rules ask for by name: a setting, the caller, what an organization holds. A rule defines the key in its own file; the
// function of the same name in ops/unit/context_values.cpp answers it.
struct ContextKey {
  std::string_view name;
};

// What a family's rules may look at, besides the record itself.
class ValidationContext {
 public:
  virtual ~ValidationContext() = default;
  // The parent of the record; its organization (nil for an organization that is being created).
  virtual Id parent() const = 0;
  virtual Id organization() const = 0;
  // Before an edit: the record as it was, secrets included; nullptr in a create.
  virtual const Value* previous() const = 0;
  // The record `id` of `family` in the same organization, without its secrets; nullptr if there is none. Lives as long as this.
  virtual const Value* find(std::string_view family, const Id& id) = 0;
  // Whether find() would answer a record. Costs less.
  virtual bool has(std::string_view family, const Id& id) { return find(family, id) != nullptr; }
  // Those of the named members that the answer of find() has, as an object; null if it would answer none. Costs less.
  virtual Value members_of(std::string_view family, const Id& id, std::span<const std::string_view> names);
  // The ids of the records of `family` that lie directly below the organization, in the order of their creation.
  virtual std::vector<Id> all(std::string_view family) = 0;
  virtual Id make_id() = 0;
  // The id of the record itself, and the time of this write.
  virtual Id self() const = 0;
  virtual Instant now() const = 0;
  // The value of this key; null if there is none. Lives as long as this.
  virtual const Value& value(ContextKey key) = 0;
};

using Violations = std::vector<Violation>;

struct Family {
  FamilyNumber number = 0;        // stored; never reused
  std::string_view name = {};          // "container_registry": Python, diagrams, events
  std::string_view schema = {};        // "ContainerRegistry": the schema's and the class's name
  std::string_view segment = {};       // "containerRegistry": its word in paths
  std::string_view id_name = {};       // "containerRegistryId": its parameter in paths
  std::string_view service_kind = {};  // "CONTAINER" for services, else ""
  std::string_view about = {};         // one paragraph for people
  std::string_view parent = {};        // family name; "" for a root
  PathForm path = PathForm::flat;
  std::span<const Field> fields = {};  // beside id, created_at and updated_at, which every family has
  std::uint8_t verbs = all_verbs;
  std::uint16_t create_status = 201;
  NameScope name_scope = NameScope::parent;
  FamilyNumber name_space = 0;    // families that share one space of names give it one number; 0: its own
  MachineKind machine = MachineKind::none;
  std::span<const VerbNeed> needs = {};

  // A body that a create accepts, for tests and documents; "{container_registry}" stands for the id of a record of that family.
  std::string_view sample = {};

  // Rules across fields. Called with a record whose fields are valid one by one and whose defaults are set.
  void (*check)(const Value& record, ValidationContext& context, Violations& violations) = nullptr;
  // Adds what the engine stores beside what was given (kept ids of ports, embedded references …). Called after check.
  void (*complete)(Value& record, ValidationContext& context) = nullptr;
  // Changes an answer before it is given: names that are copied from other records as they are now, entries for records that have come
  // since. The stored record stays as it is. Called at every read; `context.previous()` is nullptr.
  void (*present)(Value& record, ValidationContext& context) = nullptr;
  // Bits of PlanFlag; for families with a machine.
  std::uint32_t (*plan_flags)(const Value& record) = nullptr;
};

}  // namespace orlop
