#include "deploy/driver/helm_values.h"

#include <utility>

#include "model/registry.h"
#include "records/tree/removal.h"
#include "resolution/value_macros.h"
#include "wire/json.h"

namespace orlop {
namespace {

class Filler {
 public:
  Filler(const Record& service, const StepValues& values, std::string_view brand, std::vector<std::string>* remarks)
      : service_(service), values_(values), brand_(brand), remarks_(remarks) {}

  // `name`: name of the value in messages.
  Result<void> fill(Value& text, ValueSyntax syntax, const std::string& name) {
    auto replaced =
        replace_variables(text.as_text(), syntax, brand_, [this](std::string_view key) { return values_.find(key); });
    if (!replaced) return refused(name + " " + replaced.error().message);
    if (syntax == ValueSyntax::json && !parse_json(replaced->text))
      return refused(name + " is not JSON once its variables are replaced");
    for (const std::string& key : replaced->unknown) remark(name, key);
    text = Value(std::move(replaced->text));
    return {};
  }

  // `list`: name of a list of pairs of key and value.
  Result<void> fill_pairs(Value& values_override, std::string_view list, ValueSyntax syntax) {
    Value* pairs = values_override.find(list);
    if (pairs == nullptr || !pairs->is_list()) return {};
    for (Value& pair : pairs->items()) {
      if (!pair.is_list() || pair.items().size() != 2 || !pair.items()[1].is_text()) continue;
      const std::string key(pair.items()[0].is_text() ? pair.items()[0].as_text() : std::string_view());
      ORLOP_CHECK(fill(pair.items()[1], syntax, std::string(list) + " of " + key));
    }
    return {};
  }

 private:
  Error refused(const std::string& reason) const {
    return make_error(ErrorCode::invalid, "the values of " + label_of(service_) + " cannot be made: " + reason);
  }

  void remark(const std::string& name, const std::string& key) {
    if (remarks_ == nullptr) return;
    remarks_->push_back(name + " in the values refers to " + key +
                        ", which is the key of no variable of the service; the reference stays as it is");
  }

  const Record& service_;
  const StepValues& values_;
  std::string_view brand_;
  std::vector<std::string>* remarks_;
};

}  // namespace

bool takes_variables(const Record& service) {
  static const FamilyNumber helm = find_family("helm")->number;
  return service.family == helm;
}

Result<Value> with_variables(const Record& service, const Value& values_override, const StepValues& values,
                             std::string_view brand, std::vector<std::string>* remarks) {
  Value filled = values_override;
  Filler filler(service, values, brand, remarks);
  ORLOP_CHECK(filler.fill_pairs(filled, "set", ValueSyntax::plain));
  ORLOP_CHECK(filler.fill_pairs(filled, "set_string", ValueSyntax::plain));
  ORLOP_CHECK(filler.fill_pairs(filled, "set_json", ValueSyntax::json));
  Value* file = filled.find("file");
  Value* raw = file != nullptr && file->is_object() ? file->find("raw") : nullptr;
  Value* files = raw != nullptr && raw->is_object() ? raw->find("values") : nullptr;
  if (files == nullptr || !files->is_list()) return filled;
  for (Value& item : files->items()) {
    Value* content = item.is_object() ? item.find("content") : nullptr;
    if (content != nullptr && content->is_text())
      ORLOP_CHECK(filler.fill(*content, ValueSyntax::plain, "file " + std::string(item.text_or("name", ""))));
  }
  return filled;
}

}  // namespace orlop
