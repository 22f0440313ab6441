// Resource families: constexpr descriptions from which validation, storage, routes, documents and tests are derived.
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

// Path of a family's records. The collection is always /parent/{parentId}/segment (a root: /segment).
enum class PathForm : std::uint8_t {
  flat,    // /container/{containerId}
  nested,  // /organization/{organizationId}/containerRegistry/{containerRegistryId}
  // /application/{applicationId}/advancedSettings: one record for each parent, which has the defaults until the first
  // PUT.
  single,
};

// Path of the parent under which a family's collection lies.
enum class ParentPath : std::uint8_t {
  flat,    // /cluster/{clusterId}/segment, regardless of the parent's form
  item,    // /organization/{organizationId}/cluster/{clusterId}/segment: the parent's own path
  plural,  // /clusters/{clusterId}/segment
};

// Parent that a request names outside of its path: a create in its body, a list in its query. Such an operation has the
// path /segment. The request may also name the parent's family, in upper case ("CONTAINER"), which must then match the
// record.
struct ParentField {
  // Member of a create's body with the parent's id; empty: creates name it in the path.
  std::string_view body = {};
  std::string_view body_family = {};   // member of the body with the parent's family; empty: the id alone
  std::string_view query = {};         // parameter of a list with the parent's id; empty: lists name it in the path
  std::string_view query_family = {};  // parameter of a list with the parent's family; empty: the id alone
  std::span<const Field> query_fields = {};  // all parameters of a list, the above included
};

// Scope in which a name must be unique.
enum class NameScope : std::uint8_t { none, everywhere, organization, parent };

// task: the record represents work that a driver does once, in a step of kind `task`. schedule: the engine itself acts
// when the deadline of the record's machine has passed (OperationSet::due).
enum class MachineKind : std::uint8_t { none, service, cluster, environment, task, schedule };

// The five plain verbs; a family serves a set of them. Numbers are bits.
enum class Verb : std::uint8_t { create = 1, list = 2, read = 4, edit = 8, remove = 16 };
constexpr std::uint8_t operator|(Verb left, Verb right) {
  return static_cast<std::uint8_t>(static_cast<int>(left) | static_cast<int>(right));
}
constexpr std::uint8_t operator|(std::uint8_t left, Verb right) {
  return static_cast<std::uint8_t>(left | static_cast<std::uint8_t>(right));
}
inline constexpr std::uint8_t all_verbs = 31;

// Level that a plain verb of the family requires, if it differs from the default of all families (rest/route.cpp).
struct VerbNeed {
  Verb verb;
  Level level;
};

// Key of a value that rules read by name: a setting, the caller, the contents of an organization. A rule defines the
// key in its file; the function of the same name in unit/context_values.cpp computes the value.
struct ContextKey {
  std::string_view name;
};

class TimeZones;

// Data that a family's rules may read, besides the record itself.
struct Family;
class ValidationContext {
 public:
  virtual ~ValidationContext() = default;
  // Parent of the record, and its organization (nil for an organization that is being created).
  virtual Id parent() const = 0;
  // Family of the parent: one of Family::parents if there are several. Null for a root.
  virtual const Family* parent_family() = 0;
  virtual Id organization() const = 0;
  // In an edit: the record before the edit, secrets included. Null in a create.
  virtual const Value* previous() const = 0;
  // Returns the record `id` of `family` in the same organization, without its secrets, or null if there is none. Lives
  // as long as the context.
  virtual const Value* find(std::string_view family, const Id& id) = 0;
  // Reports whether find() would return a record, at less cost.
  virtual bool has(std::string_view family, const Id& id) { return find(family, id) != nullptr; }
  // Returns an object with those of the named members that the record has; null if find() would return null. Costs
  // less. The names must outlive every value, as literals do.
  virtual Value members_of(std::string_view family, const Id& id, std::span<const std::string_view> names);
  // Returns the ids of the records of `family` directly below the organization, in order of creation.
  virtual std::vector<Id> all(std::string_view family) = 0;
  // Returns the number of other records of the family below the parent.
  virtual std::size_t sibling_count() { return 0; }
  // Reports whether the record is a service that is or may be deployed: its storage then exists and can only grow.
  virtual bool may_have_data() { return false; }
  virtual bool is_json(std::string_view text) const = 0;
  virtual Id make_id() = 0;
  // Id of the record itself, and time of this write.
  virtual Id self() const = 0;
  virtual Instant now() const = 0;
  // Reports whether `end` has passed, by the time that the engines of a store agree on.
  virtual bool has_passed(Instant end) { return end <= now(); }
  // Brand of the engine, in lower case ("platform").
  virtual std::string_view brand() const = 0;
  // Time zones of the engine; null: the built-in ones.
  virtual const TimeZones* time_zones() const { return nullptr; }
  // Returns the value of this key; null if there is none. Lives as long as the context.
  virtual const Value& value(ContextKey key) = 0;
};

using Violations = std::vector<Violation>;

// Services and clusters that become OUT_OF_DATE when a record of the family is created, edited or deleted.
enum class Propagation : std::uint8_t {
  self,    // the record itself, if it is a service or cluster
  parent,  // its parent
};

struct Family {
  FamilyNumber number = 0;             // stored; never reused
  std::string_view name = {};          // "container_registry": Python, diagrams, events
  std::string_view schema = {};        // "ContainerRegistry": name of the schema and the class
  std::string_view segment = {};       // "containerRegistry": segment of paths
  std::string_view id_name = {};       // "containerRegistryId": parameter of paths
  std::string_view service_kind = {};  // "CONTAINER" for services, else empty
  std::string_view about = {};         // one paragraph of documentation
  std::string_view parent = {};        // family name; empty for a root, or if there are several
  // Names of the possible parent families, if there are several: {"application", "helm"}.
  std::array<std::string_view, 8> parents = {};
  ParentField parent_field = {};  // parent that a request names outside of the path
  ParentPath parent_path = ParentPath::flat;
  PathForm path = PathForm::flat;
  std::span<const Field> fields = {};  // without id, created_at and updated_at, which every family has
  std::uint8_t verbs = all_verbs;
  std::uint16_t create_status = 201;
  std::uint16_t edit_status = 200;
  NameScope name_scope = NameScope::parent;
  FamilyNumber name_space = 0;  // families with the same number share one name space; 0: a separate one
  MachineKind machine = MachineKind::none;
  // Internal records of the engine: without routes, schemas, types and pages. They have only their fields, not id,
  // created_at and updated_at. create_record, edit_record and remove_tree create, edit and remove them like all others.
  bool is_internal = false;
  bool has_events = true;   // the feed has entries for created, edited and deleted
  bool is_counted = false;  // the store counts its records below each parent
  std::span<const VerbNeed> needs = {};
  bool is_of_billing = false;  // levels are checked in the organization's billing scope
  Propagation propagates = Propagation::self;
  // Of a single: path that returns its defaults without a parent; empty: there is none.
  std::string_view defaults_path = {};
  // Member of a step's configuration that lists the parent's records of this family (a single: contains it); empty: the
  // configuration omits them.
  std::string_view configures = {};
  bool is_cloned = true;  // a clone of a parent includes copies of the records

  // Body that a create accepts, for tests and documents; "{container_registry}" is replaced by the id of a record of
  // that family.
  std::string_view sample = {};

  bool takes_numbers_as_text = false;  // accepts "30" for 30: clients send advanced settings as texts

  bool ignores_name = false;  // its rules do not read the name, as those of services and environments

  // Rules across fields. Called with a record whose fields are each valid and whose defaults are set. For services,
  // environments and families that ignore names, neither this function nor `complete` reads the name: if many records
  // differ only in their names (records/create_many.h), both are called only for the first ones.
  void (*check)(const Value& record, ValidationContext& context, Violations& violations) = nullptr;
  // Adds values that the engine stores besides the request's (preserved ids of ports, embedded references …). Called
  // after check.
  void (*complete)(Value& record, ValidationContext& context) = nullptr;
  // Changes a response at every read: current names of other records, entries for records created since. The stored
  // record is unchanged. `context.previous()` is null.
  void (*present)(Value& record, ValidationContext& context) = nullptr;
  // Returns a warning about the accepted body of a create or an edit, in ASCII, for the reply's header Warning; empty:
  // no warning.
  std::string (*warning)(const Value& body) = nullptr;
  // Returns bits of PlanFlag; for families with a machine.
  std::uint32_t (*plan_flags)(const Value& record) = nullptr;
};

}  // namespace orlop
