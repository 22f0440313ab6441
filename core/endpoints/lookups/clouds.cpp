// Regions, instance types and managed databases of cloud providers. External systems answer, else the built-in
// catalogs.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogs/cloud_catalog.h"
#include "catalogs/machine_type.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"

namespace orlop::operation_sets::lookups::clouds {
namespace {

struct Cloud {
  std::string_view word;  // "SCW"
  std::string_view name;
};
constexpr Cloud clouds[] = {{"AWS", "Amazon Web Services"},
                            {"AZURE", "Microsoft Azure"},
                            {"GCP", "Google Cloud Platform"},
                            {"SCW", "Scaleway"}};

Value region_value(const Region& region) {
  Value zones = Value::list();
  for (std::string& zone : zones_of(region)) zones.append(Value(std::move(zone)));
  return Value(Value::Object{{"name", Value(region.name)},
                             {"country_code", Value(region.country_code)},
                             {"country", Value(region.country)},
                             {"city", Value(region.city)},
                             {"zones", std::move(zones)}});
}

Value catalog_of_regions(std::string_view cloud) {
  Value list = Value::list();
  for (const Region& region : regions_of(cloud)) list.append(region_value(region));
  return list;
}

Value input_of(std::string_view cloud, std::string_view region = {}) {
  return Value(Value::Object{{"cloud_provider", Value(cloud)}, {"region", Value(region)}});
}

Answer list_regions(Unit& unit, std::string_view cloud) {
  return ask_later(unit, {.question = Question::list_regions, .input = input_of(cloud), .otherwise = [cloud] {
                            return Result<Value>(catalog_of_regions(cloud));
                          }});
}

// Splits the series: "m6i" has the category "m" and the generation 6.
Value attributes_of(const MachineType& type) {
  // Least resources of a node: the platform itself runs on it besides workloads.
  constexpr int least_cpu = 2, least_ram_in_gib = 4;
  Value attributes = Value::object();
  const std::size_t digit = type.series.find_first_of("0123456789");
  if (digit != std::string_view::npos && digit > 0) {
    attributes.set("instance_category", Value(type.series.substr(0, digit)));
    attributes.set("instance_generation", Value(std::int64_t{type.series[digit] - '0'}));
  }
  attributes.set("instance_family", Value(type.series));
  attributes.set("instance_size", Value(type.size));
  attributes.set("meets_resource_reqs", Value(type.cpu >= least_cpu && type.ram_in_gib >= least_ram_in_gib));
  return attributes;
}

Value type_value(const MachineType& type) {
  Value made(Value::Object{{"type", Value(type.name)},
                           {"name", Value(type.name)},
                           {"cpu", Value(std::int64_t{type.cpu})},
                           {"ram_in_gb", Value(std::int64_t{type.ram_in_gib})},
                           {"bandwidth_in_gbps", Value(type.bandwidth_in_gbps)},
                           {"bandwidth_guarantee", Value(type.is_bandwidth_shared ? "up_to" : "guaranteed")},
                           {"architecture", Value(type.architecture)},
                           {"attributes", attributes_of(type)}});
  if (type.gpu.count > 0) {
    made.set("gpu_info", Value(Value::Object{{"count", Value(std::int64_t{type.gpu.count})},
                                             {"name", Value(type.gpu.name)},
                                             {"manufacturer", Value("NVIDIA")},
                                             {"memory_in_mib", Value(std::to_string(type.gpu.memory_in_mib))}}));
  }
  return made;
}

// A region or zone that the cloud provider does not have has no types.
bool has_region(std::string_view cloud, std::string_view region) {
  return region.empty() || std::ranges::any_of(regions_of(cloud), [region](const Region& each) {
           const std::vector<std::string> zones = zones_of(each);
           return each.name == region || std::ranges::find(zones, region) != zones.end();
         });
}

Value catalog_of_types(std::string_view cloud, std::string_view region) {
  Value list = Value::list();
  if (!has_region(cloud, region)) return list;
  for (const MachineType& type : machine_types_of(cloud)) list.append(type_value(type));
  return list;
}

Answer list_instance_types(Unit& unit, std::string_view cloud) {
  return ask_later(unit, {.question = Question::list_instance_types, .input = input_of(cloud), .otherwise = [cloud] {
                            return Result<Value>(catalog_of_types(cloud, {}));
                          }});
}

// Filter of types with GPUs.
enum class Gpu { include, exclude, only };

Gpu gpu_asked_for(const Call& call) {
  const std::string_view gpu = query_text(call, "gpu");
  if (gpu == "ONLY") return Gpu::only;
  const bool is_without = gpu == "EXCLUDE" || (gpu.empty() && query_text(call, "with_gpu") == "false");
  return is_without ? Gpu::exclude : Gpu::include;
}

Value filtered(const Value& types, Gpu gpu, bool only_sufficient) {
  Value list = Value::list();
  for (const Value& type : types.items()) {
    const Value* attributes = type.find("attributes");
    const bool is_sufficient = attributes == nullptr || attributes->boolean_or("meets_resource_reqs", true);
    const bool fits_gpu = gpu == Gpu::include || type.has("gpu_info") == (gpu == Gpu::only);
    if (fits_gpu && (is_sufficient || !only_sufficient)) list.append(type);
  }
  return list;
}

Answer list_instance_types_in(Unit& unit, const Call& call, std::string_view cloud) {
  const Gpu gpu = gpu_asked_for(call);
  const bool only_sufficient = query_flag(call, "only_meets_resource_reqs");
  return ask_later(
      unit,
      {.question = Question::list_instance_types,
       .input = input_of(cloud, call.texts.front()),
       .reply =
           [=](const Value& types) { return Result<Answer>(make_list_answer(filtered(types, gpu, only_sufficient))); },
       .otherwise = [cloud, region = std::string(
                                call.texts.front())] { return Result<Value>(catalog_of_types(cloud, region)); }});
}

Answer list_database_types(Unit& unit, std::string_view cloud) {
  return ask_later(unit, {.question = Question::list_managed_database_types, .input = input_of(cloud), .otherwise = [] {
                            Value list = Value::list();
                            for (const std::string_view engine : question_shapes::database_engines)
                              list.append(Value(Value::Object{{"name", Value(engine)}}));
                            return Result<Value>(std::move(list));
                          }});
}

// Uses only the catalogs: a host that knows other regions answers the operations of the single cloud providers.
Result<Answer> list_cloud_providers(Unit&, const Call&) {
  Value list = Value::list();
  for (const Cloud& cloud : clouds) {
    list.append(Value(Value::Object{
        {"short_name", Value(cloud.word)}, {"name", Value(cloud.name)}, {"regions", catalog_of_regions(cloud.word)}}));
  }
  return make_list_answer(list);
}

Result<Answer> aws_regions(Unit& unit, const Call&) { return list_regions(unit, "AWS"); }
Result<Answer> azure_regions(Unit& unit, const Call&) { return list_regions(unit, "AZURE"); }
Result<Answer> gcp_regions(Unit& unit, const Call&) { return list_regions(unit, "GCP"); }
Result<Answer> scaleway_regions(Unit& unit, const Call&) { return list_regions(unit, "SCW"); }
Result<Answer> aws_instance_types(Unit& unit, const Call&) { return list_instance_types(unit, "AWS"); }
Result<Answer> scaleway_instance_types(Unit& unit, const Call&) { return list_instance_types(unit, "SCW"); }
Result<Answer> aws_database_types(Unit& unit, const Call&) { return list_database_types(unit, "AWS"); }
Result<Answer> scaleway_database_types(Unit& unit, const Call&) { return list_database_types(unit, "SCW"); }

Result<Answer> aws_instance_types_in(Unit& unit, const Call& call) { return list_instance_types_in(unit, call, "AWS"); }
Result<Answer> azure_instance_types_in(Unit& unit, const Call& call) {
  return list_instance_types_in(unit, call, "AZURE");
}
Result<Answer> gcp_instance_types_in(Unit& unit, const Call& call) { return list_instance_types_in(unit, call, "GCP"); }
Result<Answer> scaleway_instance_types_in(Unit& unit, const Call& call) {
  return list_instance_types_in(unit, call, "SCW");
}

Result<Answer> aws_database_instance_types(Unit& unit, const Call& call) {
  Value input(Value::Object{
      {"cloud_provider", Value("AWS")}, {"region", Value(call.texts[0])}, {"engine", Value(call.texts[1])}});
  return ask_later(unit, {.question = Question::list_database_instance_types,
                          .input = std::move(input),
                          .otherwise = [region = std::string(call.texts[0]), engine = std::string(call.texts[1])] {
                            Value list = Value::list();
                            const std::vector<std::string> names =
                                has_region("AWS", region) ? database_machines_of(engine) : std::vector<std::string>();
                            for (const std::string& name : names)
                              list.append(Value(Value::Object{{"name", Value(name)}}));
                            return Result<Value>(std::move(list));
                          }});
}

constexpr Field provider_fields[] = {
    text("short_name", "Name of the cloud provider in requests, such as `AWS`."),
    text("name", "Display name of the cloud provider."),
    list_of("regions", question_shapes::region, "Regions of the cloud provider."),
};
constexpr Shape provider = {.name = "CloudProvider", .fields = provider_fields};

constexpr std::string_view of_regions = "List the regions of a cloud provider";
constexpr std::string_view of_types = "List the instance types of a cloud provider";
constexpr std::string_view of_databases = "List the managed databases of a cloud provider";

constexpr Operation listing(std::string_view path, std::string_view name, Handler handle, const Shape& shape,
                            std::string_view summary, Question question) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .form = AnswerForm::shape_list,
          .answer = &shape,
          .summary = summary,
          .asks = question};
}

using namespace question_shapes;

constexpr std::string_view gpu_values[] = {"INCLUDE", "EXCLUDE", "ONLY"};
constexpr Field type_query[] = {
    boolean("only_meets_resource_reqs",
            "Return only instance types on which the platform's own workloads can run. Default: false."),
    boolean("with_gpu", "False: leave out instance types with GPUs, unless `gpu` is given. Default: true.")
        .deprecated(),
    enumeration("gpu", gpu_values,
                "Instance types with GPUs: beside those without, left out, or alone. Default: `INCLUDE`.")
        .defaults_to("INCLUDE"),
};
constexpr Field region_texts[] = {text("region", "Name of the region, such as `eu-west-3`.").at_least(1).at_most(64)};
constexpr Field zone_texts[] = {text("zone", "Name of the zone, such as `fr-par-1`.").at_least(1).at_most(64)};
constexpr Field database_texts[] = {
    text("region", "Name of the region, such as `eu-west-3`.").at_least(1).at_most(64),
    text("databaseType", "Database engine, such as `POSTGRESQL`.").at_least(1).at_most(64),
};

constexpr Operation types_in(std::string_view path, std::string_view name, Handler handle, std::span<const Field> texts,
                             std::span<const Field> query) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .query = query,
          .form = AnswerForm::shape_list,
          .answer = &instance_type,
          .summary = "List the instance types that clusters can have in a region",
          .asks = Question::list_instance_types,
          .path_texts = texts};
}

constexpr Operation operations[] = {
    {.path = "/cloudProvider",
     .name = "list_cloud_providers",
     .handle = list_cloud_providers,
     .form = AnswerForm::shape_list,
     .answer = &provider,
     .summary = "List the cloud providers with their regions",
     .about = "From the built-in catalog."},
    listing("/aws/region", "list_aws_regions", aws_regions, region, of_regions, Question::list_regions),
    listing("/azure/region", "list_azure_regions", azure_regions, region, of_regions, Question::list_regions),
    listing("/gcp/region", "list_gcp_regions", gcp_regions, region, of_regions, Question::list_regions),
    listing("/scaleway/region", "list_scaleway_regions", scaleway_regions, region, of_regions, Question::list_regions),
    listing("/aws/instanceType", "list_aws_instance_types", aws_instance_types, instance_type, of_types,
            Question::list_instance_types),
    listing("/scaleway/instanceType", "list_scaleway_instance_types", scaleway_instance_types, instance_type, of_types,
            Question::list_instance_types),
    listing("/aws/managedDatabase/type", "list_aws_managed_database_types", aws_database_types, database_type,
            of_databases, Question::list_managed_database_types),
    types_in("/aws/eks/instanceType/{region}", "list_aws_eks_instance_types", aws_instance_types_in, region_texts,
             type_query),
    types_in("/azure/aks/instanceType/{region}", "list_azure_aks_instance_types", azure_instance_types_in, region_texts,
             type_query),
    types_in("/gcp/instanceType/{region}", "list_gcp_instance_types", gcp_instance_types_in, region_texts, {}),
    types_in("/scaleway/instanceType/{zone}", "list_scaleway_kapsule_instance_types", scaleway_instance_types_in,
             zone_texts, {}),
    {.path = "/aws/managedDatabase/instanceType/{region}/{databaseType}",
     .name = "list_aws_managed_database_instance_types",
     .handle = aws_database_instance_types,
     .form = AnswerForm::shape_list,
     .answer = &database_instance_type,
     .summary = "List the instance types that managed databases can have in a region",
     .asks = Question::list_database_instance_types,
     .path_texts = database_texts},
    listing("/scaleway/managedDatabase/type", "list_scaleway_managed_database_types", scaleway_database_types,
            database_type, of_databases, Question::list_managed_database_types),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::clouds
