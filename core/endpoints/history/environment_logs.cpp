// Log of a deployment request of an environment, line by line, from the feed.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "deploy/driver/driver.h"
#include "deploy/request/request_record.h"
#include "endpoints/environments/parts/request_answers.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::history::environment_logs {
namespace {

constexpr std::size_t lines_max = 1000;

// Finds the request with the execution id in the query; without one, the current or last request.
Result<std::optional<RequestBody>> request_asked_for(Unit& unit, const Call& call, const Id& environment) {
  ORLOP_TRY(view, view_requests(unit, environment));
  const std::string_view version = query_text(call, "version");
  if (version.empty()) {
    const Machine* current = view.current();
    if (current == nullptr) return std::optional<RequestBody>();
    ORLOP_TRY(body, body_of_request(unit, current->id));
    return std::optional(std::move(body));
  }
  for (const Machine& request : view.machines) {
    ORLOP_TRY(body, body_of_request(unit, request.id));
    if (body.execution_id == version) return std::optional(std::move(body));
  }
  return std::optional<RequestBody>();
}

bool is_line(const Event& event) {
  if (!is_service(event.family)) return false;
  return event.kind == EventKind::state_changed || event.kind == EventKind::progress ||
         event.kind == EventKind::log_line;
}

// Returns the last lines of the request, oldest first.
Result<std::vector<Event>> lines_of(Unit& unit, const Id& request) {
  std::vector<Event> lines;
  EventRange range;
  range.request = request;
  range.order = EventRange::Order::newest_first;
  ORLOP_CHECK(unit.stored().events(range, [&](const Event& event) {
    if (is_line(event)) lines.push_back(event);
    return lines.size() < lines_max;
  }));
  std::ranges::reverse(lines);
  return lines;
}

// Attributes of a service in its log lines.
struct Transmitter {
  std::string name;
  std::string_view kind;
  Id stage;
  std::string stage_name;
};

struct Line {
  Event event;
  std::string text;    // reported text, or the reason for the state
  ServiceState state;  // state of the service from this line on
};

class LogWriter {
 public:
  LogWriter(Unit& unit, const Record& environment, const RequestBody& request)
      : unit_(unit), environment_(environment), request_(request) {}

  Result<void> write(Writer& out, const Line& line);
  Result<void> write_older(Writer& out, const Line& line);

 private:
  Result<const Transmitter*> transmitter(const Event& event);

  Unit& unit_;
  const Record& environment_;
  const RequestBody& request_;
  std::unordered_map<Id, Transmitter> transmitters_;
};

// A service or stage that is gone has no name.
Result<const Transmitter*> LogWriter::transmitter(const Event& event) {
  const auto known = transmitters_.find(event.subject);
  if (known != transmitters_.end()) return &known->second;
  Transmitter made;
  made.kind = find_family(event.family)->service_kind;
  ORLOP_TRY(service, unit_.record(event.subject));
  ORLOP_TRY(machine, unit_.machine(event.subject));
  if (service) made.name = name_of(*service);
  if (machine) made.stage = machine->stage;
  ORLOP_TRY(stage, unit_.record(made.stage));
  if (stage) {
    ORLOP_TRY(body, unit_.value_of(*stage));
    made.stage_name = body->text_or("name", "");
  }
  return &transmitters_.emplace(event.subject, std::move(made)).first->second;
}

std::string sentence(const Transmitter& service, const Line& line) {
  if (line.event.kind != EventKind::state_changed) return line.text;
  std::string text = service.name + " is " + std::string(to_string(line.state));
  return line.text.empty() ? text : text + ": " + line.text;
}

std::string_view step_name(const Line& line) {
  if (line.event.kind == EventKind::state_changed) return to_string(line.state);
  return to_string(static_cast<StepKind>(line.event.to));
}

Result<void> LogWriter::write(Writer& out, const Line& line) {
  ORLOP_TRY(service, transmitter(line.event));
  ORLOP_TRY(environment, unit_.value_of(environment_));
  const bool is_failure = line.event.kind == EventKind::state_changed && is_error(line.state);
  out.begin_object().field("type", is_failure ? "error" : "info").field("timestamp", line.event.at);
  out.key("details").begin_object().field("organization_id", environment_.organization);
  if (const auto cluster = id_in(*environment, "cluster_id")) out.field("cluster_id", *cluster);
  out.field("execution_id", request_.execution_id).key("transmitter").begin_object();
  out.field("id", line.event.subject).field("name", service->name).field("type", service->kind).end_object();
  out.key("stage").begin_object().field("step", step_name(line));
  if (service->stage_name.empty()) {
    out.field_null("id").field_null("name");
  } else {
    out.field("id", service->stage).field("name", service->stage_name);
  }
  out.end_object().end_object();
  if (is_failure) {
    out.key("error")
        .begin_object()
        .field("tag", to_string(line.state))
        .field("user_log_message", sentence(*service, line));
    out.key("underlying_error").begin_object().field("message", line.text).end_object().end_object();
    out.field_null("message");
  } else {
    out.field_null("error").key("message").begin_object().field("safe_message", sentence(*service, line)).end_object();
  }
  out.end_object();
  return {};
}

// Maps the state to its name in the older form.
std::string_view older_state(ServiceState state) {
  if (state == ServiceState::canceling || state == ServiceState::canceled) return to_string(state);
  const Action action = action_of(state);
  const bool stops = action == Action::stop;
  const bool removes = action == Action::remove;
  if (is_error(state)) return stops ? "PAUSE_ERROR" : removes ? "DELETE_ERROR" : "DEPLOYMENT_ERROR";
  if (action == Action::none || timing_phase(state) == TimingPhase::queueing) return "WAITING";
  if (is_transient(state))
    return stops ? "PAUSE_IN_PROGRESS" : removes ? "DELETE_IN_PROGRESS" : "DEPLOYMENT_IN_PROGRESS";
  return stops ? "PAUSED" : removes ? "DELETED" : "DEPLOYED";
}

// Makes an id from the request's id and, in its last bytes, the event's number: events have no ids.
Id line_id(const Event& event) {
  Id id = event.request;
  std::uint64_t number = event.sequence;
  for (std::size_t at = id.bytes.size(); number != 0 && at > id.bytes.size() / 2; number >>= 8)
    id.bytes[--at] = static_cast<std::uint8_t>(number);
  return id;
}

Result<void> LogWriter::write_older(Writer& out, const Line& line) {
  ORLOP_TRY(service, transmitter(line.event));
  out.begin_object().field("id", line_id(line.event)).field("created_at", line.event.at).key("scope").begin_object();
  out.field("type", service->kind == "DATABASE" ? "DATABASE" : "APPLICATION")
      .field("name", service->name)
      .field("id", line.event.subject)
      .end_object();
  out.field("state", older_state(line.state))
      .field("message", sentence(*service, line))
      .field("execution_id", request_.execution_id)
      .end_object();
  return {};
}

std::string text_of(const Event& event) {
  const auto detail = event.detail.empty() ? Result<Value>(Value()) : parse_stored(event.detail.text());
  if (!detail) return {};
  return std::string(detail->text_or(event.kind == EventKind::state_changed ? "reason" : "text", ""));
}

using WriteLine = Result<void> (LogWriter::*)(Writer& out, const Line& line);

// Writes the lines of the requested deployment request as a JSON array.
Result<void> write_lines(Unit& unit, const Call& call, WriteLine write, Writer& out) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(request, request_asked_for(unit, call, environment.id));
  out.begin_list();
  if (request) {
    LogWriter writer(unit, environment, *request);
    std::unordered_map<Id, ServiceState> states;
    ORLOP_TRY(events, lines_of(unit, request->id));
    for (Event& event : events) {
      ServiceState& state = states.try_emplace(event.subject, ServiceState::deploying).first->second;
      if (event.kind == EventKind::state_changed) state = static_cast<ServiceState>(event.to);
      std::string text = text_of(event);
      ORLOP_CHECK((writer.*write)(out, {std::move(event), std::move(text), state}));
    }
  }
  out.end_list();
  return {};
}

Result<Answer> list_lines(Unit& unit, const Call& call) {
  Writer out;
  ORLOP_CHECK(write_lines(unit, call, &LogWriter::write, out));
  return Answer{200, std::move(out).take()};
}

Result<Answer> list_older_lines(Unit& unit, const Call& call) {
  Writer out;
  out.begin_object().key("results");
  ORLOP_CHECK(write_lines(unit, call, &LogWriter::write_older, out));
  out.end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field transmitter_fields[] = {
    uuid("id", "ID of the service.").required(),
    text("name", "Name of the service. Empty: it was deleted.").required(),
    text("type", "Kind of the service, such as `CONTAINER`.").required(),
};
constexpr Shape transmitter_shape = {.fields = transmitter_fields};
constexpr Field stage_fields[] = {
    text("step",
         "Step that reported the line, such as `deploy`, or the state that the service entered, such as `DEPLOYED`.")
        .required(),
    uuid("id", "ID of the deployment stage of the service. Null: unknown.").nullable(),
    text("name", "Name of the deployment stage of the service. Null: unknown.").nullable(),
};
constexpr Shape stage_shape = {.fields = stage_fields};
constexpr Field detail_fields[] = {
    uuid("organization_id", "ID of the organization.").required(),
    uuid("cluster_id", "ID of the cluster on which the environment runs."),
    text("execution_id", "Execution ID of the deployment request.").required(),
    object("transmitter", transmitter_shape, "Service that the line is about.").required(),
    object("stage", stage_shape, "Step and deployment stage of the line.").required(),
};
constexpr Shape detail_shape = {.fields = detail_fields};
constexpr Field underlying_fields[] = {text("message", "Reason that the driver reported. Empty: none.").required()};
constexpr Shape underlying_shape = {.fields = underlying_fields};
constexpr Field error_fields[] = {
    text("tag", "State in which the service failed, such as `DEPLOYMENT_ERROR`.").required(),
    text("user_log_message", "Description of the failure.").required(),
    object("underlying_error", underlying_shape, "Cause of the failure.").required(),
};
constexpr Shape error_shape = {.fields = error_fields};
constexpr Field message_fields[] = {text("safe_message", "Text of the line.").required()};
constexpr Shape message_shape = {.fields = message_fields};
constexpr Field line_fields[] = {
    text("type", "`info` or `error`.").required(),
    date_time("timestamp", "Time of the line.").required(),
    object("details", detail_shape, "Origin of the line.").required(),
    object("error", error_shape, "Failure of the service. Null: the line reports none.").nullable(),
    object("message", message_shape, "Text of the line. Null: the line reports a failure.").nullable(),
};
constexpr Shape line_shape = {.name = "EnvironmentLogs", .fields = line_fields};

constexpr std::string_view scope_types[] = {"APPLICATION", "DATABASE", "ENVIRONMENT"};
constexpr Field scope_fields[] = {
    enumeration("type", scope_types, "`DATABASE`, or `APPLICATION` for any other kind of service.").required(),
    text("name", "Name of the service. Empty: it was deleted.").required(),
    uuid("id", "ID of the service.").required(),
};
constexpr Shape scope_shape = {.fields = scope_fields};
constexpr std::string_view older_states[] = {"CANCELED",
                                             "CANCELING",
                                             "DELETED",
                                             "DELETE_ERROR",
                                             "DELETE_IN_PROGRESS",
                                             "DEPLOYED",
                                             "DEPLOYMENT_ERROR",
                                             "DEPLOYMENT_IN_PROGRESS",
                                             "ERROR",
                                             "PAUSED",
                                             "PAUSE_ERROR",
                                             "PAUSE_IN_PROGRESS",
                                             "WAITING"};
constexpr Field older_fields[] = {
    uuid("id", "ID of the line.").required(),
    date_time("created_at", "Time of the line.").required(),
    object("scope", scope_shape, "Service that the line is about.").required(),
    enumeration("state", older_states, "State of the service at the time of the line.").required(),
    text("message", "Text of the line.").required(),
    text("execution_id", "Execution ID of the deployment request.").required(),
};
constexpr Shape older_shape = {.name = "EnvironmentLog", .fields = older_fields};

constexpr std::string_view about =
    "The lines that the driver has reported about the services, and the states that these entered, the oldest first; "
    "at most the last 1000. Of the current deployment "
    "request, or of the last one.";
constexpr Field query[] = {text(
    "version",
    "Execution ID of a deployment request, whose lines are returned. Default: that of the current or last request.")};

constexpr Operation operations[] = {
    {.path = "{flat}/logs",
     .name = "list_{family}_deployment_logs",
     .handle = list_lines,
     .query = query,
     .form = AnswerForm::shape_array,
     .answer = &line_shape,
     .summary = "List the log lines of a deployment of {one}",
     .about = about},
    {.path = "{flat}/log",
     .name = "list_{family}_log",
     .handle = list_older_lines,
     .form = AnswerForm::shape_list,
     .answer = &older_shape,
     .summary = "List the log lines of the last deployment of {one}",
     .about = about},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::history::environment_logs
