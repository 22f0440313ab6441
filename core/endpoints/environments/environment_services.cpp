// Services of an environment, and their links.
#include <utility>
#include <vector>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::environment_services {
namespace {

Result<Answer> list_environment_links(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(services, services_below(unit, environment.id));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& service : services) ORLOP_CHECK(write_links(unit, service, out));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

// Lists the answers that the families return for their services, by ascending id.
Result<Answer> list_environment_services(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(services, services_below(unit, environment.id));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& service : services) {
    ORLOP_TRY(text, render(unit, *find_family(service.family), service));
    out.raw(text);
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field services_fields[] = {
    list_of(
        "results", FieldKind::any,
        "Services, each as the operation that gets a service of its kind returns it. `service_type` names the kind.")
        .required(),
};
constexpr Shape services_shape = {.name = "EnvironmentServices", .fields = services_fields};

constexpr Operation operations[] = {
    {.path = "{flat}/link",
     .name = "list_environment_services_links",
     .handle = list_environment_links,
     .form = AnswerForm::shape_list,
     .answer = &link_shape,
     .summary = "List the links of the services of an environment",
     .about = "Links of the public ports of all services, and those of their custom domains."},
    {.path = "{flat}/services",
     .name = "list_environment_services",
     .handle = list_environment_services,
     .form = AnswerForm::shape,
     .answer = &services_shape,
     .summary = "List the services of an environment",
     .about = "Each service has the members of its own kind."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::environments::environment_services
