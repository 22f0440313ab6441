// Fields. A family's fields are constexpr data written with the builders below; validation, storage, the interface
// description, reference pages and language types are derived from them. A contradiction (required and defaulted, say)
// does not compile.
//
//   constexpr Field fields[] = {
//       text("name", "Name of the cluster.").required().unique_name(),
//       integer("disk_iops", "I/O operations per second of a node's disk.").at_least(3000).at_most(16000),
//       enumeration("cloud_provider", cloud_vendors, "Cloud provider.").required().immutable(),
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace orlop {

enum class FieldKind : std::uint8_t {
  text,
  integer,
  number,
  boolean,
  id,           // a uuid as text
  date_time,    // RFC 3339 as text
  uri,          // an absolute URI as text
  duration,     // ISO 8601 as text
  cron,         // five fields as text
  enumeration,  // value of an enumeration
  object,
  list,
  any,  // any JSON: stored unchanged
};

// Value that the engine writes into a read-only field when it stores the record.
enum class ServerSet : std::uint8_t { none, parent_object, organization_object, parent_id };

// Effect on a record when the record that it refers to is deleted.
enum class OnDelete : std::uint8_t {
  refuse,   // the deletion is refused while this record exists
  cascade,  // the record is deleted too
};

// Source of a copied field: a member of the record that a reference of the same record names.
struct CopySource {
  std::string_view reference = {};  // name of the reference: "role_id"; empty: the field is not a copy
  std::string_view member = {};     // "name"
};

// Computes a field that is not stored: the JSON text of its value for each of the records, in their order. The records
// are all records of one family in a response, so that the function queries the store for all of them at once. A
// family's file declares the function, `namespace computations { ComputeFunction cluster_status; }`; it is defined in
// unit/computations.cpp.
class Unit;
struct Record;
using ComputeFunction = Result<std::vector<std::string>>(Unit& unit, std::span<const Record> records);

// Scalar value of an absent field.
struct Default {
  enum class Type : std::uint8_t { none, null, boolean, integer, number, text, empty_list, empty_object };
  Type type = Type::none;
  std::int64_t integer = 0;
  double number = 0;
  bool flag = false;
  std::string_view text = {};
};

struct Shape;

// Case sensitivity of unique names.
enum class Case : std::uint8_t { ignored, sensitive };

struct Field {
  std::string_view name = {};  // a literal: values store a pointer to it
  FieldKind kind = FieldKind::text;
  std::string_view about = {};  // one sentence of documentation

  bool is_required = false;
  bool is_read_only = false;  // ignored on input
  bool is_nullable = false;
  bool is_secret = false;          // stored separately, never returned
  bool is_unique_name = false;     // unique in the family's name scope
  Case name_case = Case::ignored;  // of a unique name
  bool is_immutable = false;       // an edit may repeat it, but not change it
  bool is_preserved = false;       // an edit that omits it keeps it
  bool is_input_only = false;      // accepted, not stored under this name: Family::complete uses it
  bool is_deprecated = false;
  bool is_always_present = false;  // every response has it, though requests may omit it: the engine sets it
  // FieldKind::enumeration: compared without regard to case, stored as the enumeration spells it.
  bool is_any_case = false;
  bool has_brand = false;           // the name is a pattern (base/brand.h)
  bool has_branded_values = false;  // one of the enumeration's values is a pattern too
  bool is_empty_absent = false;     // an empty text in a request counts as absent
  bool is_absent_null = false;      // absent in a request means null, which the family's rules replace
  bool has_unique_items = false;    // the items of a list of texts, ids or enumeration values must differ

  Default absent;
  ServerSet server_set = ServerSet::none;
  ComputeFunction* compute = nullptr;  // null: the field is stored
  // Bounds of a number, or of the length of a text or list
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
  // FieldKind::enumeration, items of such a list, or names accepted instead of an id.
  std::span<const std::string_view> enum_values = {};
  const Shape* shape = nullptr;                     // FieldKind::object, or the items of a list of objects
  FieldKind item = FieldKind::any;                  // FieldKind::list: kind of its items
  std::string_view refers_to = {};                  // family of the record with that id; "service": any service
  OnDelete on_delete_of_target = OnDelete::refuse;  // only for a reference
  CopySource copy = {};

 private:
  // Defined before its use: clang does not instantiate a template that follows the constexpr function which needs it.
  template <typename Change>
  constexpr Field with(Change change) const {
    Field changed = *this;
    change(changed);
    return changed;
  }

 public:
  constexpr Field required() const {
    if (absent.type != Default::Type::none) throw "a field with a default cannot be required";
    if (is_read_only) throw "a read-only field cannot be required of a request";
    return with([](Field& field) { field.is_required = true; });
  }
  constexpr Field read_only() const {
    if (is_required || is_secret) throw "a read-only field is neither required nor secret";
    return with([](Field& field) { field.is_read_only = true; });
  }
  constexpr Field nullable() const {
    return with([](Field& field) { field.is_nullable = true; });
  }
  constexpr Field secret() const {
    if (is_read_only || is_unique_name) throw "a secret is given by the caller and names nothing";
    return with([](Field& field) {
      field.is_secret = true;
      field.is_preserved = true;
    });
  }
  constexpr Field on_delete(OnDelete behaviour) const {
    if (refers_to.empty()) throw "only a reference has a behaviour on deletion";
    return with([behaviour](Field& field) { field.on_delete_of_target = behaviour; });
  }
  constexpr Field unique_name(Case compared = Case::ignored) const {
    if (kind != FieldKind::text) throw "only a text can be a name";
    return with([compared](Field& field) {
      field.is_unique_name = true;
      field.name_case = compared;
      field.minimum = 1;
      field.maximum = static_cast<std::int64_t>(name_size_max);
    });
  }
  constexpr Field immutable() const {
    return with([](Field& field) {
      field.is_immutable = true;
      field.is_preserved = true;
    });
  }
  constexpr Field preserved() const {
    return with([](Field& field) { field.is_preserved = true; });
  }
  constexpr Field input_only() const {
    return with([](Field& field) { field.is_input_only = true; });
  }
  constexpr Field always_present() const {
    return with([](Field& field) { field.is_always_present = true; });
  }
  // An id that a request may replace by one of these names.
  constexpr Field or_one_of(std::span<const std::string_view> named) const {
    if (kind != FieldKind::id) throw "only an id can be named by a word instead";
    return with([named](Field& field) { field.enum_values = named; });
  }
  constexpr Field any_case() const {
    if (kind != FieldKind::enumeration) throw "only an enumeration's value can be given in any case";
    return with([](Field& field) { field.is_any_case = true; });
  }
  constexpr Field empty_is_absent() const {
    return with([](Field& field) { field.is_empty_absent = true; });
  }
  constexpr Field absent_is_null() const {
    if (!is_nullable || absent.type != Default::Type::none) throw "what is absent has a default, or cannot be null";
    return with([](Field& field) { field.is_absent_null = true; });
  }
  constexpr Field unique_items() const {
    if (kind != FieldKind::list || item == FieldKind::object || item == FieldKind::any)
      throw "only the items of a list of texts, ids or words are compared";
    return with([](Field& field) { field.has_unique_items = true; });
  }
  constexpr Field deprecated() const {
    return with([](Field& field) { field.is_deprecated = true; });
  }

  // Bounds of a number, or of the length of a text (bytes) or list (items). Inclusive.
  constexpr Field at_least(std::int64_t bound) const {
    if (bound > maximum) throw "minimum over maximum";
    return with([bound](Field& field) { field.minimum = bound; });
  }
  constexpr Field at_most(std::int64_t bound) const {
    if (bound < minimum) throw "maximum under minimum";
    return with([bound](Field& field) { field.maximum = bound; });
  }

  constexpr Field defaults_to(bool flag) const {
    return with_default({Default::Type::boolean, 0, 0, flag, {}}, FieldKind::boolean);
  }
  constexpr Field defaults_to(int integer) const {
    if (integer < minimum || integer > maximum) throw "the default is out of bounds";
    return with_default({Default::Type::integer, integer, 0, false, {}}, FieldKind::integer);
  }
  constexpr Field defaults_to(const char* text) const {
    return with_default({Default::Type::text, 0, 0, false, text},
                        kind == FieldKind::enumeration ? FieldKind::enumeration : kind);
  }
  constexpr Field defaults_to_null() const {
    if (!is_nullable) throw "a null default needs a nullable field";
    return with_default({Default::Type::null, 0, 0, false, {}}, kind);
  }
  constexpr Field defaults_to_empty() const {
    if (kind == FieldKind::list) return with_default({Default::Type::empty_list, 0, 0, false, {}}, kind);
    return with_default({Default::Type::empty_object, 0, 0, false, {}}, FieldKind::object);
  }

 private:
  constexpr Field with_default(Default value, FieldKind expected) const {
    if (is_required) throw "a required field cannot have a default";
    if (kind != expected) throw "the default is of another kind than the field";
    if (kind == FieldKind::enumeration && value.type == Default::Type::text && !is_enum_value(value.text))
      throw "the default is not one of the words";
    return with([value](Field& field) { field.absent = value; });
  }
  constexpr bool is_enum_value(std::string_view text) const {
    for (const std::string_view allowed : enum_values) {
      if (allowed == text) return true;
    }
    return false;
  }
};

// Alternative of a shape: fields that apply if the discriminator has the value `enum_value`.
struct Variant {
  std::string_view enum_value = {};
  std::span<const Field> fields = {};
};

// The members of an object.
struct Shape {
  std::string_view name = {};  // name of its schema in the interface
  std::span<const Field> fields = {};
  // If set, the field of this name (a required enumeration among `fields`) selects a variant, whose fields apply too.
  std::string_view discriminator = {};
  std::span<const Variant> variants = {};
  // Exactly one of the nullable fields must be given and not null.
  bool exactly_one = false;
};

constexpr Field make_field(std::string_view name, FieldKind kind, std::string_view about) {
  Field field;
  field.name = name;
  field.has_brand = name.find('{') != std::string_view::npos;
  field.kind = kind;
  field.about = about;
  if (kind == FieldKind::text || kind == FieldKind::uri) field.maximum = static_cast<std::int64_t>(text_size_max);
  return field;
}

constexpr Field text(std::string_view name, std::string_view about) { return make_field(name, FieldKind::text, about); }
constexpr Field integer(std::string_view name, std::string_view about) {
  return make_field(name, FieldKind::integer, about);
}
constexpr Field number(std::string_view name, std::string_view about) {
  return make_field(name, FieldKind::number, about);
}
constexpr Field boolean(std::string_view name, std::string_view about) {
  return make_field(name, FieldKind::boolean, about);
}
constexpr Field uuid(std::string_view name, std::string_view about) { return make_field(name, FieldKind::id, about); }
constexpr Field date_time(std::string_view name, std::string_view about) {
  return make_field(name, FieldKind::date_time, about);
}
constexpr Field uri(std::string_view name, std::string_view about) { return make_field(name, FieldKind::uri, about); }
constexpr Field duration(std::string_view name, std::string_view about) {
  return make_field(name, FieldKind::duration, about);
}
constexpr Field cron(std::string_view name, std::string_view about) { return make_field(name, FieldKind::cron, about); }
constexpr Field any(std::string_view name, std::string_view about) { return make_field(name, FieldKind::any, about); }

constexpr bool has_branded_value(std::span<const std::string_view> enum_values) {
  for (const std::string_view enum_value : enum_values) {
    if (enum_value.find('{') != std::string_view::npos) return true;
  }
  return false;
}

constexpr Field enumeration(std::string_view name, std::span<const std::string_view> enum_values,
                            std::string_view about) {
  Field field = make_field(name, FieldKind::enumeration, about);
  field.enum_values = enum_values;
  field.has_branded_values = has_branded_value(enum_values);
  return field;
}

// Id of a record of `family` in the same organization. That record cannot be deleted while it is referred to.
constexpr Field reference(std::string_view name, std::string_view family, std::string_view about) {
  Field field = make_field(name, FieldKind::id, about);
  field.refers_to = family;
  return field;
}

constexpr Field object(std::string_view name, const Shape& shape, std::string_view about) {
  Field field = make_field(name, FieldKind::object, about);
  field.shape = &shape;
  return field;
}

// An object with arbitrary members.
constexpr Field open_object(std::string_view name, std::string_view about) {
  return make_field(name, FieldKind::object, about);
}

constexpr Field list_of(std::string_view name, FieldKind item, std::string_view about) {
  Field field = make_field(name, FieldKind::list, about);
  field.item = item;
  return field;
}

constexpr Field list_of(std::string_view name, const Shape& shape, std::string_view about) {
  Field field = list_of(name, FieldKind::object, about);
  field.shape = &shape;
  return field;
}

constexpr Field enumeration_list(std::string_view name, std::span<const std::string_view> enum_values,
                                 std::string_view about) {
  Field field = list_of(name, FieldKind::enumeration, about);
  field.enum_values = enum_values;
  field.has_branded_values = has_branded_value(enum_values);
  return field;
}

// Read-only fields that the engine sets: {"id": …} of the parent or organization, or the parent's bare id.
constexpr Field parent_object(std::string_view name, std::string_view about) {
  Field field = make_field(name, FieldKind::object, about).read_only();
  field.server_set = ServerSet::parent_object;
  return field;
}
constexpr Field parent_id(std::string_view name, std::string_view about) {
  Field field = make_field(name, FieldKind::id, about).read_only();
  field.server_set = ServerSet::parent_id;
  return field;
}
constexpr Field organization_object(std::string_view about) {
  Field field = make_field("organization", FieldKind::object, about).read_only();
  field.server_set = ServerSet::organization_object;
  return field;
}
// Read-only copy of a member of the record that `reference` names, updated whenever that record changes.
constexpr Field copied(Field field, std::string_view reference, std::string_view member) {
  field.is_read_only = true;
  field.copy = {reference, member};
  return field;
}
constexpr Field computed(Field field, ComputeFunction& compute) {
  field.is_read_only = true;
  field.compute = &compute;
  return field;
}

}  // namespace orlop
