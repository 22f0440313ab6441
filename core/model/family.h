// What a resource family is: one constexpr description, from which validation, storage, routes, documents and tests
// follow.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/family_number.h"
#include "base/id.h"
#include "base/instant.h"
#include "model/field.h"
#include "model/plan_flag.h"
#include "model/role.h"
#include "model/value.h"

namespace orlop {

// Where records of a family are addressed. The collection is always /parent/{parentId}/segment (a root: /segment).
enum class PathForm : std::uint8_t {
  flat,    // /container/{containerId}
  nested,  // /organization/{organizationId}/containerRegistry/{containerRegistryId}
  // /application/{applicationId}/advancedSettings: one record for each parent, with the defaults until a PUT stores
  // one.
  single,
};

// Under which path of its parent a family's collection lies.
enum class ParentPath : std::uint8_t {
  flat,    // /cluster/{clusterId}/segment, whatever the parent's form
  item,    // /organization/{organizationId}/cluster/{clusterId}/segment: the parent's own path
  plural,  // /clusters/{clusterId}/segment
};

// A parent that a request names outside of its path: a create in its body, a list in its query. Such an operation
// answers at /segment. The parent's family may be named too, in upper case ("CONTAINER"); it must then be the family of
// the record.
struct ParentField {
  // Member of a create's body that holds the parent's id; "": creates name it in the path.
  std::string_view body = {};
  std::string_view body_family = {};   // member of the body that holds the parent's family; "": the id alone
  std::string_view query = {};         // parameter of a list that holds the parent's id; "": lists name it in the path
  std::string_view query_family = {};  // parameter of a list that holds the parent's family; "": the id alone
  std::span<const Field> query_fields = {};  // all parameters of a list, those two among them
};

// Where a name must be the only one of its kind.
enum class NameScope : std::uint8_t { none, everywhere, organization, parent };

// task: the record stands for work that a driver does once, in a step of kind `task`. schedule: the engine itself does
// something about the record when the deadline of its machine has passed (OperationSet::due).
enum class MachineKind : std::uint8_t { none, service, cluster, environment, task, schedule };

// Which of the five plain verbs a family serves; numbers are bits.
enum class Verb : std::uint8_t { create = 1, list = 2, read = 4, edit = 8, remove = 16 };
constexpr std::uint8_t operator|(Verb left, Verb right) {
  return static_cast<std::uint8_t>(static_cast<int>(left) | static_cast<int>(right));
}
constexpr std::uint8_t operator|(std::uint8_t left, Verb right) {
  return static_cast<std::uint8_t>(left | static_cast<std::uint8_t>(right));
}
inline constexpr std::uint8_t all_verbs = 31;

// What a plain verb of the family takes, where it is not what all families take (rest/route.cpp).
struct VerbNeed {
  Verb verb;
  Level level;
};

// A value that rules ask for by name: a setting, the caller, what an organization holds. A rule defines the key in its
// own file; the function of the same name in unit/context_values.cpp answers it.
struct ContextKey {
  std::string_view name;
};

class TimeZones;

// What a family's rules may look at, besides the record itself.
struct Family;
class ValidationContext {
 public:
  virtual ~ValidationContext() = default;
  // The parent of the record; its organization (nil for an organization that is being created).
  virtual Id parent() const = 0;
  // The family of the parent: one of Family::parents where there are several. nullptr for a root.
  virtual const Family* parent_family() = 0;
  virtual Id organization() const = 0;
  // Before an edit: the record as it was, secrets included; nullptr in a create.
  virtual const Value* previous() const = 0;
  // The record `id` of `family` in the same organization, without its secrets; nullptr if there is none. Lives as long
  // as this.
  virtual const Value* find(std::string_view family, const Id& id) = 0;
  // Whether find() would answer a record. Costs less.
  virtual bool has(std::string_view family, const Id& id) { return find(family, id) != nullptr; }
  // Those of the named members that the answer of find() has, as an object; null if it would answer none. Costs less.
  // The names must outlive every value, as literals do.
  virtual Value members_of(std::string_view family, const Id& id, std::span<const std::string_view> names);
  // The ids of the records of `family` that lie directly below the organization, in the order of their creation.
  virtual std::vector<Id> all(std::string_view family) = 0;
  // How many records of the family lie below the parent, beside the record itself.
  virtual std::size_t sibling_count() { return 0; }
  // Whether the record is a service that is deployed, or may be: what it stores is there and can only grow.
  virtual bool may_have_data() { return false; }
  virtual bool is_json(std::string_view text) const = 0;
  virtual Id make_id() = 0;
  // The id of the record itself, and the time of this write.
  virtual Id self() const = 0;
  virtual Instant now() const = 0;
  // Whether something that lasts until then is over: by the time that engines agree on, where there are several.
  virtual bool has_passed(Instant end) { return end <= now(); }
  // The brand of the engine, in lower case ("platform").
  virtual std::string_view brand() const = 0;
  // The time zones of the engine; nullptr: those that the library was made with.
  virtual const TimeZones* time_zones() const { return nullptr; }
  // The value of this key; null if there is none. Lives as long as this.
  virtual const Value& value(ContextKey key) = 0;
};

using Violations = std::vector<Violation>;

// Which services and clusters go OUT_OF_DATE when a record of the family is created, edited or deleted.
enum class Propagation : std::uint8_t {
  self,    // the record itself, if it is a service or cluster
  parent,  // its parent
};

struct Family {
  FamilyNumber number = 0;             // stored; never reused
  std::string_view name = {};          // "container_registry": Python, diagrams, events
  std::string_view schema = {};        // "ContainerRegistry": the schema's and the class's name
  std::string_view segment = {};       // "containerRegistry": its word in paths
  std::string_view id_name = {};       // "containerRegistryId": its parameter in paths
  std::string_view service_kind = {};  // "CONTAINER" for services, else ""
  std::string_view about = {};         // one paragraph for people
  std::string_view parent = {};        // family name; "" for a root, or if there are several
  // Names of the families that may be the parent, if several may: {"application", "helm"}.
  std::array<std::string_view, 8> parents = {};
  ParentField parent_field = {};  // where a request names the parent if not in the path
  ParentPath parent_path = ParentPath::flat;
  PathForm path = PathForm::flat;
  std::span<const Field> fields = {};  // beside id, created_at and updated_at, which every family has
  std::uint8_t verbs = all_verbs;
  std::uint16_t create_status = 201;
  std::uint16_t edit_status = 200;
  NameScope name_scope = NameScope::parent;
  FamilyNumber name_space = 0;  // families that share one space of names give it one number; 0: its own
  MachineKind machine = MachineKind::none;
  // The engine's own records: no route, schema, type or page shows them. They hold their fields only, without id,
  // created_at and updated_at, and are made, edited and removed by create_record, edit_record and remove_tree like all
  // others.
  bool is_internal = false;
  bool has_events = true;   // created, edited and deleted are entries of the feed
  bool is_counted = false;  // the store keeps the number of its records below each parent
  std::span<const VerbNeed> needs = {};
  bool is_of_billing = false;  // a caller needs the levels in the organization's billing
  Propagation propagates = Propagation::self;
  // Of a single: where its defaults are read without a parent; "": nowhere.
  std::string_view defaults_path = {};
  // The member of a step's configuration that lists the parent's records of this family (a single: holds it); "": the
  // driver is not given them.
  std::string_view configures = {};
  bool is_cloned = true;  // a clone of what lies above has copies of the records

  // A body that a create accepts, for tests and documents; "{container_registry}" stands for the id of a record of that
  // family.
  std::string_view sample = {};

  bool takes_numbers_as_text = false;  // "30" for 30: clients send advanced settings as texts

  bool ignores_name = false;  // in its rules, as a service or an environment does

  // Rules across fields. Called with a record whose fields are valid one by one and whose defaults are set. Neither
  // this nor complete of a service, an environment or a family that ignores names reads the name: of many that differ
  // in their names only (records/create_many.h), they are called for the first ones.
  void (*check)(const Value& record, ValidationContext& context, Violations& violations) = nullptr;
  // Adds what the engine stores beside what was given (kept ids of ports, embedded references …). Called after check.
  void (*complete)(Value& record, ValidationContext& context) = nullptr;
  // Changes an answer before it is given: names that are copied from other records as they are now, entries for records
  // that have come since. The stored record stays as it is. Called at every read; `context.previous()` is nullptr.
  void (*present)(Value& record, ValidationContext& context) = nullptr;
  // What a client should know of the body of a create or an edit that is accepted, in ASCII; "": nothing. It is the
  // reply's header Warning.
  std::string (*warning)(const Value& body) = nullptr;
  // Bits of PlanFlag; for families with a machine.
  std::uint32_t (*plan_flags)(const Value& record) = nullptr;
};

}  // namespace orlop
