#include "model/validate.h"

#include <algorithm>
#include <cstdint>

#include "base/brand.h"
#include "base/text/utf8.h"
#include "model/check_value.h"
#include "model/metadata.h"

namespace orlop {
namespace {

// Sets the field's default in `place`, which is null.
void set_default(const Field& field, std::string_view brand, Value& place) {
  const Default& absent = field.absent;
  switch (absent.type) {
    case Default::Type::none:
    case Default::Type::null: return;
    case Default::Type::boolean: place = Value(absent.flag); return;
    case Default::Type::integer: place = Value(absent.integer); return;
    case Default::Type::number: place = Value(absent.number); return;
    case Default::Type::text:
      place = field.has_branded_values ? Value(branded(absent.text, brand)) : Value(absent.text);
      return;
    case Default::Type::empty_list: place = Value::list(); return;
    case Default::Type::empty_object: place = Value::object(); return;
  }
}

constexpr std::string_view base_members[] = {"id", "created_at", "updated_at"};

// Reports whether a rule of the family may set a member that requests do not give. The member is created as null, which
// the field does not accept, so that it has its position when the rule sets it.
bool is_reserved(const Field& field) {
  return (field.is_read_only || field.is_always_present) && !field.is_nullable && !field.has_brand &&
         field.compute == nullptr;
}

// Members of a body. Most fields are absent from it; a mask of the names' sizes and first letters detects this without
// a search.
class Given {
 public:
  explicit Given(const Value& body) : body_(body) {
    for (const Member& member : body.members()) marks_ |= mark_of(member.name);
  }
  const Value* find(std::string_view name) const { return (marks_ & mark_of(name)) == 0 ? nullptr : body_.find(name); }

 private:
  static std::uint64_t mark_of(std::string_view name) {
    return name.empty() ? 1 : std::uint64_t{1} << ((name.size() * 5 + static_cast<unsigned char>(name.front())) & 63);
  }

  const Value& body_;
  std::uint64_t marks_ = 0;
};

// Builds the members of an object from the given ones and the previous ones.
class Builder {
 public:
  // `brand`: brand of the engine; it must outlive the builder.
  Builder(Purpose purpose, ValidationContext* context, std::string_view brand, Violations& violations)
      : checker_(context, brand, violations,
                 [this](const Shape& shape, const Value& given, const Path& path) {
                   return members(shape, given, nullptr, path);
                 }),
        purpose_(purpose),
        context_(context),
        brand_(brand),
        violations_(violations) {}

  Value members(const Shape& shape, const Value& given, const Value* before, const Path& path) {
    Value made = Value::object();
    made.members().reserve(shape.fields.size());
    const Given members_given(given);
    std::size_t known = add(shape.fields, members_given, before, path, made);
    const Variant* variant = chosen_variant(shape, made);
    if (variant != nullptr) known += add(variant->fields, members_given, before, path, made);
    if (known < given.members().size()) known += count_base(shape, variant, members_given, path);
    if (known < given.members().size()) refuse_unknown(shape, variant, given, path);
    if (shape.exactly_one) require_one(shape, made, path);
    return made;
  }

  // The body is a whole record, which may have metadata.
  void take_metadata() { takes_metadata_ = true; }

  Value member(const Field& field, const Value& given, const Path& path) { return checker_.check(field, given, path); }

 private:
  // Returns the number of given members that are fields.
  std::size_t add(std::span<const Field> fields, const Given& given, const Value* before, const Path& path,
                  Value& made) {
    std::size_t known = 0;
    for (const Field& field : fields) {
      if (field.compute != nullptr) continue;
      if (!field.has_brand) {
        known += add_one(field, given, before, path, made) ? 1 : 0;
      } else {
        const std::string name = branded(field.name, brand_);
        Field spelled = field;
        spelled.name = name;
        known += add_one(spelled, given, before, path, made) ? 1 : 0;
      }
    }
    return known;
  }

  static Name name_of(const Field& field) { return field.has_brand ? Name(field.name) : Name::lasting(field.name); }

  // Reports whether the member is given.
  bool add_one(const Field& field, const Given& given, const Value* before, const Path& path, Value& made) {
    const Value* old = before == nullptr ? nullptr : before->find(field.name);
    const Value* value = given.find(field.name);
    if (field.is_read_only) {
      add_read_only(field, old, path, made);
      return value != nullptr;
    }
    if (value != nullptr && !counts_as_absent(field, *value)) {
      add_given(field, *value, old, path, made);
    } else {
      add_absent(field, old, path, made);
    }
    return value != nullptr;
  }

  static bool counts_as_absent(const Field& field, const Value& value) {
    return field.is_empty_absent && value.is_text() && value.as_text().empty();
  }

  void add_read_only(const Field& field, const Value* old, const Path& path, Value& made) {
    if (context_ != nullptr && field.server_set != ServerSet::none) {
      const Id id = field.server_set == ServerSet::organization_object ? context_->organization() : context_->parent();
      Value reference = Value::object();
      reference.add(Name::lasting("id"), Value(to_text(id)));
      made.add(name_of(field), field.server_set == ServerSet::parent_id ? Value(to_text(id)) : std::move(reference));
    } else if (old != nullptr) {
      made.add(name_of(field), Value(*old));
    } else {
      add_default(field, path, made);
    }
  }

  void add_default(const Field& field, const Path& path, Value& made) {
    const bool is_there = field.absent.type != Default::Type::none || field.is_absent_null ||
                          (is_reserved(field) && context_ != nullptr && path.is_body());
    if (is_there) set_default(field, brand_, made.add(name_of(field)));
  }

  void add_given(const Field& field, const Value& value, const Value* old, const Path& path, Value& made) {
    if (field.kind == FieldKind::object && field.shape != nullptr && value.is_object()) {
      made.add(name_of(field), members(*field.shape, value, old, path.in(field.name)));
      return;
    }
    Value checked = checker_.check(field, value, path.in(field.name));
    const bool is_changed = purpose_ == Purpose::edit && field.is_immutable && old != nullptr && checked != *old;
    if (is_changed) violations_.push_back({path.in(field.name).text(), "cannot be changed once it is set"});
    made.add(name_of(field), std::move(checked));
  }

  void add_absent(const Field& field, const Value* old, const Path& path, Value& made) {
    if (purpose_ == Purpose::edit && field.is_preserved && old != nullptr) {
      made.add(name_of(field), Value(*old));
    } else if (field.is_required) {
      violations_.push_back({path.in(field.name).text(), "is required"});
    } else if (field.absent.type == Default::Type::empty_object && field.shape != nullptr) {
      made.add(name_of(field), members(*field.shape, Value::object(), old, path.in(field.name)));
    } else {
      add_default(field, path, made);
    }
  }

  const Variant* chosen_variant(const Shape& shape, const Value& made) const {
    if (shape.discriminator.empty()) return nullptr;
    const std::string_view enum_value = made.text_or(shape.discriminator, "");
    const auto found = std::ranges::find_if(shape.variants, [&](const Variant& variant) {
      return variant.enum_value == enum_value || is_branded(enum_value, variant.enum_value, brand_);
    });
    return found == shape.variants.end() ? nullptr : &*found;
  }

  bool knows(std::span<const Field> fields, std::string_view name) const {
    return std::ranges::any_of(fields, [&](const Field& field) {
      return field.name == name || (field.has_brand && is_branded(name, field.name, brand_));
    });
  }

  // Counts members that every record has besides its fields: bodies copied from a response contain them.
  std::size_t count_base(const Shape& shape, const Variant* variant, const Given& given, const Path& path) const {
    if (!path.is_body() || context_ == nullptr) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(base_members, [&](std::string_view name) {
      return given.find(name) != nullptr && !knows(shape.fields, name) &&
             (variant == nullptr || !knows(variant->fields, name));
    }));
  }

  void refuse_unknown(const Shape& shape, const Variant* variant, const Value& given, const Path& path) {
    for (const Member& member : given.members()) {
      if (violations_.size() >= violations_counted_max) return;
      if (knows(shape.fields, member.name) || (variant != nullptr && knows(variant->fields, member.name))) continue;
      const bool is_base = path.is_body() && context_ != nullptr &&
                           (std::ranges::find(base_members, member.name.view()) != std::end(base_members) ||
                            (member.name == metadata_field.name && takes_metadata_));
      if (!is_base)
        violations_.push_back(
            {path.in(beginning(member.name.view(), 64)).text(), "is not a field of " + std::string(shape.name)});
    }
  }

  void require_one(const Shape& shape, const Value& made, const Path& path) {
    std::string names;
    int given = 0;
    for (const Field& field : shape.fields) {
      if (!field.is_nullable || field.is_read_only) continue;
      names.append(names.empty() ? "" : ", ").append(field.name);
      if (made.has(field.name)) ++given;
    }
    if (given != 1) {
      violations_.push_back(
          {path.text(), "must hold exactly one of " + names + ", not " + std::to_string(given) + " of them"});
    }
  }

  ValueChecker checker_;
  Purpose purpose_;
  ValidationContext* context_;
  std::string_view brand_;
  Violations& violations_;
  bool takes_metadata_ = false;
};

// Returns the body with numbers instead of texts that spell one. Other texts stay and are refused later.
Value with_numbers(const Family& family, Value body) {
  for (Member& member : body.members()) {
    const auto field = std::ranges::find(family.fields, member.name.view(), &Field::name);
    if (field == family.fields.end() || field->kind != FieldKind::integer || !member.value.is_text()) continue;
    if (auto number = typed_text(field->kind, member.value.as_text())) member.value = std::move(*number);
  }
  return body;
}

void finish(const Family& family, Value& record) {
  for (const Field& field : family.fields) {
    if (field.is_input_only) record.erase(field.name);
  }
  std::erase_if(record.members(), [&family](const Member& member) {
    if (!member.value.is_null()) return false;
    const auto field = std::ranges::find(family.fields, member.name.view(), &Field::name);
    return field != family.fields.end() && is_reserved(*field);
  });
  arrange(family.fields, record);
}

}  // namespace

Value ValidationContext::members_of(std::string_view family, const Id& id, std::span<const std::string_view> names) {
  const Value* record = find(family, id);
  if (record == nullptr) return Value();
  Value held = Value::object();
  for (const std::string_view name : names) {
    if (const Value* member = record->find(name)) held.set(name, *member);
  }
  return held;
}

Value make_record(const Family& family, const Value& body, Purpose purpose, ValidationContext& context,
                  Violations& violations) {
  if (!body.is_object()) {
    violations.push_back({"", "the body must be an object, not " + std::string(describe(body.type()))});
    return Value::object();
  }
  const Shape shape{family.schema, family.fields};
  Builder builder(purpose, &context, context.brand(), violations);
  if (family.path != PathForm::single) builder.take_metadata();
  Value record = family.takes_numbers_as_text
                     ? builder.members(shape, with_numbers(family, body), context.previous(), Path())
                     : builder.members(shape, body, context.previous(), Path());
  if (violations.empty() && family.check != nullptr) family.check(record, context, violations);
  if (violations.empty() && family.complete != nullptr) family.complete(record, context);
  if (violations.empty()) fill_copies(family, record, context);
  finish(family, record);
  if (family.path != PathForm::single)
    take_metadata(body, purpose == Purpose::edit ? context.previous() : nullptr, record, violations);
  return record;
}

void fill_copies(const Family& family, Value& record, ValidationContext& context) {
  for (const Field& field : family.fields) {
    if (field.copy.reference.empty()) continue;
    const auto reference = std::ranges::find(family.fields, field.copy.reference, &Field::name);
    const auto id = parse_id(record.text_or(field.copy.reference, ""));
    const Value source = id && reference != family.fields.end()
                             ? context.members_of(reference->refers_to, *id, std::span(&field.copy.member, 1))
                             : Value();
    const Value* member = source.find(field.copy.member);
    if (member == nullptr) record.erase(field.name);
    else record.set(field.name, *member);
  }
}

Value make_defaults(const Family& family, ValidationContext& context) {
  Violations violations;
  const Shape shape{family.schema, family.fields};
  Value record =
      Builder(Purpose::create, &context, context.brand(), violations).members(shape, Value::object(), nullptr, Path());
  if (family.complete != nullptr) family.complete(record, context);
  finish(family, record);
  return record;
}

Value make_member(const Field& field, const Value& given, const std::string& path, ValidationContext& context,
                  Violations& violations) {
  return Builder(Purpose::create, &context, context.brand(), violations).member(field, given, Path{nullptr, path, {}});
}

Value make_body(std::span<const Field> fields, const Value& body, Violations& violations, std::string_view brand) {
  if (!body.is_object()) {
    violations.push_back({"", "the body must be an object, not " + std::string(describe(body.type()))});
    return Value::object();
  }
  const Shape shape{"this request", fields};
  return Builder(Purpose::create, nullptr, brand, violations).members(shape, body, nullptr, Path());
}

Error refusal(Violations violations) {
  const Violation& first = violations.front();
  std::string message = first.field.empty() ? first.reason : first.field + " " + first.reason;
  if (violations.size() > 1) {
    message += std::string(violations.size() >= violations_counted_max ? " (and at least " : " (and ") +
               std::to_string(violations.size() - 1) + " more)";
  }
  return {ErrorCode::invalid, std::move(message), std::move(violations)};
}

}  // namespace orlop
