// How the configuration of a service differs: from what is deployed to what is wanted, or from release to release.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/released_configuration.h"
#include "deploy/request/request_parts.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "releases/configuration_difference.h"
#include "releases/release_records.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::releases::differences {
namespace {

constexpr Field change_fields[] = {
    text("path",
         "JSON Pointer to the member. An item of a list is named by its key, name or ID: `/variables/PORT/value`.")
        .required(),
    any("before", "Value before. Absent: the member was added. `***`: a secret."),
    any("after", "Value after. Absent: the member was removed. `***`: a secret."),
    boolean("is_secret", "True if the value is or holds a secret.").required(),
};
constexpr Shape change = {.name = "ConfigurationChange", .fields = change_fields};

constexpr Field difference_fields[] = {
    uuid("service_id", "ID of the service.").required(),
    text("name", "Name of the service.").required(),
    integer("from", "Number of the release before. Null: the service has no release.").nullable().required(),
    integer("to", "Number of the release after. Null: the wanted configuration.").nullable().required(),
    text("reason", "Reason why the wanted configuration cannot be deployed. Absent: it can be."),
    list_of("changes", change, "Members that differ.").required(),
};
constexpr Shape difference_shape = {.name = "ServiceDifference", .fields = difference_fields};

constexpr Field environment_fields[] = {
    list_of("services", difference_shape, "Services that differ.").required(),
};
constexpr Shape environment_shape = {.name = "EnvironmentDifference", .fields = environment_fields};

constexpr Field service_query[] = {
    integer("from", "Number of the release before. Default: the newest one.").at_least(1),
    integer("to", "Number of the release after. Absent: the wanted configuration, which a deployment would deploy now.")
        .at_least(1),
};

struct Compared {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string reason;
  std::vector<Difference> changes;
};

// `to` 0: the wanted configuration.
Result<Compared> compare(Unit& unit, const Service& service, std::uint32_t from, std::uint32_t to) {
  Compared compared{.from = from, .to = to, .reason = {}, .changes = {}};
  ReleasedConfiguration before;
  if (from != 0) {
    ORLOP_TRY(found, configuration_of_release(unit, service.record.id, from));
    before = std::move(found);
  }
  if (to != 0) {
    ORLOP_TRY(after, configuration_of_release(unit, service.record.id, to));
    compared.changes = differences_between(std::move(before), std::move(after));
    return compared;
  }
  const auto wanted = wanted_configuration(unit, service.record);
  if (!wanted && wanted.error().code != ErrorCode::invalid) return wanted.error();
  if (!wanted) {
    compared.reason = wanted.error().message;
    return compared;
  }
  ORLOP_TRY(after, with_secret_places(*wanted));
  compared.changes = differences_between(std::move(before), std::move(after));
  return compared;
}

void write_number(Writer& out, std::string_view name, std::uint32_t number) {
  if (number == 0) out.field_null(name);
  else out.field(name, std::int64_t{number});
}

void write(Writer& out, const Service& service, const Compared& compared) {
  out.begin_object().field("service_id", service.record.id).field("name", name_of(service.record));
  write_number(out, "from", compared.from);
  write_number(out, "to", compared.to);
  if (!compared.reason.empty()) out.field("reason", compared.reason);
  out.key("changes").begin_list();
  for (const Difference& difference : compared.changes) {
    out.begin_object().field("path", difference.path);
    if (difference.before) out.field("before", *difference.before);
    if (difference.after) out.field("after", *difference.after);
    out.field("is_secret", difference.is_secret).end_object();
  }
  out.end_list().end_object();
}

Result<Answer> read_difference(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(newest, newest_release(unit, service.record.id));
  const std::int64_t from = query_integer(call, "from", newest.number);
  const std::int64_t to = query_integer(call, "to", 0);
  for (const std::int64_t number : {from, to}) {
    if (number > UINT32_MAX) return no_release(service.record.id, number);
  }
  ORLOP_TRY(compared, compare(unit, service, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)));
  Writer out;
  write(out, service, compared);
  return Answer{200, std::move(out).take()};
}

Result<Answer> read_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(machines, services_of(unit, environment.id));
  Writer out;
  out.begin_object().key("services").begin_list();
  for (const Machine& machine : machines) {
    ORLOP_TRY(service, require_service(unit, machine.id));
    ORLOP_TRY(newest, newest_release(unit, machine.id));
    ORLOP_TRY(compared, compare(unit, service, newest.number, 0));
    if (!compared.changes.empty() || !compared.reason.empty()) write(out, service, compared);
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Operation operations[] = {
    {.path = "/service/{serviceId}/diff",
     .name = "diff_service",
     .handle = read_difference,
     .query = service_query,
     .form = AnswerForm::shape,
     .answer = &difference_shape,
     .summary = "Compare the configurations of a service",
     .about = "Compares the newest release with the wanted configuration, or two releases. 404: a release is not kept. "
              "409: a release was made without its configuration."},
    {.path = "/environment/{environmentId}/diff",
     .name = "diff_environment",
     .handle = read_environment,
     .form = AnswerForm::shape,
     .answer = &environment_shape,
     .summary = "Compare what is deployed with what is wanted",
     .about = "Returns the services of the environment whose newest release differs from the wanted configuration, and "
              "those that have no release."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::releases::differences
