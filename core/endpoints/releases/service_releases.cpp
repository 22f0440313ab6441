// Releases of a service, and the configuration of each.
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "releases/json_patch.h"
#include "releases/release_records.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::releases::service_releases {
namespace {

constexpr Field version_fields[] = {
    text("image_name", "Name of the image. Absent: the service has none."),
    text("tag", "Tag of the image."),
    text("image_digest", "Digest of the image, as the driver returned it. Absent: not known."),
    text("chart_name", "Name of the chart. Absent: the service has none."),
    text("chart_version", "Version of the chart."),
    text("git_url", "URL of the git repository. Absent: the service is not built from git."),
    text("git_branch", "Branch of the repository."),
    text("git_commit_id", "ID of the commit. Absent: not known."),
    date_time("git_commit_date", "Time of the commit, in UTC."),
    text("git_commit_author", "Author of the commit."),
    text("git_commit_tag", "Git tag of the commit."),
    text("engine", "Type of the database, such as `POSTGRESQL`. Absent: the service is none."),
    text("engine_version", "Version of the database."),
};
constexpr Shape version = {.name = "ReleaseVersion", .fields = version_fields};

constexpr Field release_fields[] = {
    integer("release", "Number of the release: 1, 2, … of the service.").required(),
    date_time("deployed_at", "Time at which the deployment of the service succeeded, in UTC.").required(),
    uuid("deployment_request_id", "ID of the deployment request.").required(),
    text("triggered_by", "Name of the caller that made the request.").required(),
    text("digest",
         "Digest of the configuration: `sha256:` and 64 hexadecimal digits. Releases with equal digests differ at most "
         "in commit and image.")
        .required(),
    boolean("is_running",
            "True for the newest release while the service runs it: nothing has stopped or uninstalled it since, or "
            "failed to replace it.")
        .required(),
    integer("rollback_of", "Number of the release whose configuration it is. Absent: it was no roll-back."),
    object("version", version, "Image, chart and commit that were deployed.").required(),
};
constexpr Shape release_shape = {.name = "Release", .fields = release_fields};

constexpr Field configuration_fields[] = {
    integer("release", "Number of the release.").required(),
    open_object("configuration",
                "Configuration that the driver was given, as far as it changes what runs. Secrets are left out.")
        .required(),
    list_of("secrets", FieldKind::text, "JSON Pointers to the secrets that are left out.").required(),
};
constexpr Shape configuration_shape = {.name = "ReleaseConfiguration", .fields = configuration_fields};

void write_release(Writer& out, const Release& release, bool is_running) {
  out.begin_object().field("release", std::int64_t{release.number}).field("deployed_at", release.deployed_at);
  out.field("deployment_request_id", release.request).field("triggered_by", release.triggered_by);
  out.field("digest", release.digest).field("is_running", is_running);
  if (release.rollback_of != 0) out.field("rollback_of", std::int64_t{release.rollback_of});
  out.field("version", release.version).end_object();
}

Result<Answer> list_releases(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(newest, newest_release(unit, service.record.id));
  ORLOP_TRY(releases, releases_of(unit, service.record.id));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Release& release : releases) write_release(out, release, newest.runs && release.number == newest.number);
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<std::uint32_t> number_in(const Call& call) {
  const std::string& text = call.texts[0];
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number != 0) return number;
  return invalid_field("release", "must be the number of a release, 1 or more, not \"" + text + "\"");
}

Result<Answer> read_configuration(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(number, number_in(call));
  ORLOP_TRY(found, configuration_of_release(unit, service.record.id, number));
  Value patch = Value::list();
  // From the last one: the positions of those before it in a list stay.
  for (auto pointer = found.secrets.rbegin(); pointer != found.secrets.rend(); ++pointer)
    patch.append(Value(Value::Object{{"op", Value("replace")}, {"path", Value(*pointer)}, {"value", Value()}}));
  ORLOP_CHECK(apply_patch(found.configuration, patch));
  Writer out;
  out.begin_object().field("release", std::int64_t{number}).field("configuration", found.configuration);
  out.key("secrets").begin_list();
  for (const std::string& pointer : found.secrets) out.value(pointer);
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field path_texts[] = {text("release", "Number of the release.")};

constexpr Operation operations[] = {
    {.path = "/service/{serviceId}/release",
     .name = "list_releases",
     .handle = list_releases,
     .form = AnswerForm::shape_list,
     .answer = &release_shape,
     .summary = "List the releases of a service",
     .about = "Returns what successful deployments made of the service, newest first. Deployments that failed made no "
              "release."},
    {.path = "/service/{serviceId}/release/{release}",
     .name = "get_release_configuration",
     .handle = read_configuration,
     .form = AnswerForm::shape,
     .answer = &configuration_shape,
     .summary = "Get the configuration of a release",
     .about = "Returns what the driver was given. 409: the release was made without its configuration.",
     .path_texts = path_texts},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::releases::service_releases
