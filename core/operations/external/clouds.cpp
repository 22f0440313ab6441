// Regions, instance types and managed databases of cloud providers: the external systems answer, or the built-in catalogs.
#include <string>
#include <string_view>
#include <utility>

#include "catalogs/cloud_catalog.h"
#include "externals/shapes.h"
#include "operations/operation_set.h"
#include "ops/external.h"

namespace orlop {
namespace {

struct Cloud {
  std::string_view word;  // "SCW"
  std::string_view name;
};
constexpr Cloud clouds[] = {{"AWS", "Amazon Web Services"}, {"AZURE", "Microsoft Azure"}, {"GCP", "Google Cloud Platform"}, {"SCW", "Scaleway"}};

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

Value input_of(std::string_view cloud) { return Value(Value::Object{{"cloud_provider", Value(cloud)}, {"region", Value("")}}); }

Answer list_regions(Unit& unit, std::string_view cloud) {
  return ask_later(unit, {.question = Question::list_regions, .input = input_of(cloud), .otherwise = [cloud] { return Result<Value>(catalog_of_regions(cloud)); }});
}

Answer list_instance_types(Unit& unit, std::string_view cloud) {
  return ask_later(unit, {.question = Question::list_instance_types, .input = input_of(cloud)});
}

Answer list_database_types(Unit& unit, std::string_view cloud) {
  return ask_later(unit, {.question = Question::list_managed_database_types, .input = input_of(cloud), .otherwise = [] {
                            Value list = Value::list();
                            for (const std::string_view engine : question_shapes::database_engines) list.append(Value(Value::Object{{"name", Value(engine)}}));
                            return Result<Value>(std::move(list));
                          }});
}

// The catalogs alone: a host that knows other regions answers the operations of the cloud providers.
Result<Answer> list_cloud_providers(Unit&, const Call&) {
  Value list = Value::list();
  for (const Cloud& cloud : clouds) {
    list.append(Value(Value::Object{{"short_name", Value(cloud.word)}, {"name", Value(cloud.name)}, {"regions", catalog_of_regions(cloud.word)}}));
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

constexpr Field provider_fields[] = {
    text("short_name", "Name of the cloud provider in requests, such as `AWS`."),
    text("name", "Display name of the cloud provider."),
    list_of("regions", question_shapes::region, "Regions of the cloud provider."),
};
constexpr Shape provider = {.name = "CloudProvider", .fields = provider_fields};

constexpr std::string_view of_regions = "List the regions of a cloud provider";
constexpr std::string_view of_types = "List the instance types of a cloud provider";
constexpr std::string_view of_databases = "List the managed databases of a cloud provider";

constexpr Operation listing(std::string_view path, std::string_view name, Handler handle, const Shape& shape, std::string_view summary, std::string_view about) {
  return {.path = path, .name = name, .handle = handle, .form = AnswerForm::shape_list, .answer = &shape, .summary = summary, .about = about};
}

using namespace question_shapes;

constexpr Operation operations[] = {
    listing("/cloudProvider", "list_cloud_providers", list_cloud_providers, provider, "List the cloud providers with their regions", "From the built-in catalog."),
    listing("/aws/region", "list_aws_regions", aws_regions, region, of_regions, asks_external_or_catalog),
    listing("/azure/region", "list_azure_regions", azure_regions, region, of_regions, asks_external_or_catalog),
    listing("/gcp/region", "list_gcp_regions", gcp_regions, region, of_regions, asks_external_or_catalog),
    listing("/scaleway/region", "list_scaleway_regions", scaleway_regions, region, of_regions, asks_external_or_catalog),
    listing("/aws/instanceType", "list_aws_instance_types", aws_instance_types, instance_type, of_types, asks_external),
    listing("/scaleway/instanceType", "list_scaleway_instance_types", scaleway_instance_types, instance_type, of_types, asks_external),
    listing("/aws/managedDatabase/type", "list_aws_managed_database_types", aws_database_types, database_type, of_databases, asks_external_or_catalog),
    listing("/scaleway/managedDatabase/type", "list_scaleway_managed_database_types", scaleway_database_types, database_type, of_databases, asks_external_or_catalog),
};

}  // namespace

namespace operation_sets::external {
extern const OperationSet clouds;
constexpr OperationSet clouds = {
    .operations = operations,
};
}  // namespace operation_sets::external

}  // namespace orlop
