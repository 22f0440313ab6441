// Analyses of clusters: one of each kind at a time. Lines of their logs.
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "deploy/request/cluster_gate.h"
#include "endpoints/operation_set.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/path.h"
#include "records/verbs.h"
#include "unit/find_record.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::tasks::analyses {
namespace {

constexpr std::size_t lines_max = 10'000;

// Error conflict if the cluster is not deployed, or an analysis of this kind is unfinished.
Result<void> require_startable(Unit& unit, const Record& cluster, std::string_view kind) {
  ORLOP_TRY(machine, require_machine(unit, cluster.id));
  if (unit.settings().require_cluster && gate_of(machine) != ClusterGate::open) {
    return make_error(ErrorCode::conflict, "cluster \"" + name_of(cluster) + "\" is " +
                                               std::string(to_string(static_cast<ClusterState>(machine.state))) +
                                               "; an analysis needs a cluster that is DEPLOYED or RESTARTED");
  }
  ORLOP_TRY(tasks, unit.machines(cluster.id, find_family("cluster_analysis")->number));
  for (const Machine& task : tasks) {
    if (!is_transient(static_cast<TaskState>(task.state))) continue;
    ORLOP_TRY(record, unit.record(task.id));
    if (!record) continue;
    ORLOP_TRY(body, unit.value_of(*record));
    if (body->text_or("kind", "") == kind)
      return make_error(ErrorCode::conflict, "an analysis of the kind " + std::string(kind) + " has not ended yet");
  }
  return {};
}

Result<Answer> start(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, require_parent(unit, *call.family, call.ids.front()));
  if (call.body != nullptr) ORLOP_CHECK(require_startable(unit, *cluster, call.body->text_or("kind", "")));
  return create(unit, call);
}

// A level at the beginning of a line is the line's level: "ERROR no such API".
std::string_view level_of(std::string_view line) {
  for (const std::string_view level : {"ERROR", "WARN", "INFO", "DEBUG"}) {
    const bool is_word = line.starts_with(level) && (line.size() == level.size() ||
                                                     std::isalnum(static_cast<unsigned char>(line[level.size()])) == 0);
    if (is_word) return level;
  }
  return "INFO";
}

Result<Answer> list_lines(Unit& unit, const Call& call) {
  ORLOP_TRY(task, record_on_path(unit, call));
  EventRange range;
  range.subject = task.id;
  Writer out;
  out.begin_object().key("results").begin_list();
  std::int64_t count = 0;
  ORLOP_CHECK(unit.stored().events(range, [&](const Event& event) {
    if (event.kind != EventKind::log_line) return true;
    const auto detail = parse_stored(event.detail.text());
    const std::string line(detail ? detail->text_or("text", "") : "");
    out.begin_object()
        .field("timestamp", event.at)
        .field("level", level_of(line))
        .field("message", line)
        .field("line_order", ++count)
        .end_object();
    return count < static_cast<std::int64_t>(lines_max);
  }));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field line_fields[] = {
    date_time("timestamp", "Time of the line.").required(),
    text("level", "`ERROR`, `WARN`, `INFO` or `DEBUG`, if the line begins with it; else `INFO`.").required(),
    text("message", "Text of the line.").required(),
    integer("line_order", "Number of the line, from 1.").required(),
};
constexpr Shape line_shape = {.name = "ClusterAnalysisLogResponse", .fields = line_fields};

constexpr Operation operations[] = {
    {.path = "{item}/logs",
     .name = "list_{family}_logs",
     .handle = list_lines,
     .form = AnswerForm::shape_list,
     .answer = &line_shape,
     .summary = "List the log lines of {one}",
     .about = "The lines that the driver has reported, the oldest first; at most the first 10,000."}};

constexpr ReplacedVerb replaced[] = {{.verb = Verb::create, .handle = start}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster_analysis"),
    .operations = operations,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::tasks::analyses
