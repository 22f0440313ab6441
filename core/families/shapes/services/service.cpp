#include "families/shapes/services/service.h"

#include "base/brand.h"

namespace orlop::shapes {

void complete_service(Value& record, std::string_view kind, std::string_view icon, ValidationContext& context) {
  drop_nulls(record, {"description"});
  record.set("service_type", Value(kind));
  keep_from(record, context.previous(), {"addresses"});
  if (!is_given(record, "icon_uri")) {
    record.set("icon_uri", Value(branded(branded_names::icon, context.brand(), icon)));
  }
}

void complete_limits(Value& record, std::string_view gpu_name) {
  record.set("maximum_cpu", Value(std::int64_t{cpu_max}));
  record.set("maximum_memory", Value(std::int64_t{memory_max}));
  if (!gpu_name.empty()) record.set(gpu_name, Value(std::int64_t{gpu_max}));
}

void complete_flags(Value& record, Names flags) {
  for (const std::string_view flag : flags) set_absent(record, flag, Value(false));
}

}  // namespace orlop::shapes
