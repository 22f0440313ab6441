#include "describe/enums.h"

#include <string_view>
#include <vector>

#include "base/error.h"
#include "deploy/driver.h"
#include "describe/words.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {
namespace {

// The name of each enumerator as C has it; "" for a number that is none. A switch, so that a new enumerator cannot be left out.
#define ORLOP_NAME(Enum, name) \
  case Enum::name:             \
    return #name;

std::string_view enumerator_of(Action action) {
  switch (action) {
    ORLOP_NAME(Action, none)
    ORLOP_NAME(Action, deploy)
    ORLOP_NAME(Action, restart)
    ORLOP_NAME(Action, stop)
    ORLOP_NAME(Action, remove)
    ORLOP_NAME(Action, uninstall)
    ORLOP_NAME(Action, dry_run)
    ORLOP_NAME(Action, upgrade)
  }
  return "";
}

std::string_view enumerator_of(Freshness freshness) {
  switch (freshness) {
    ORLOP_NAME(Freshness, never_deployed)
    ORLOP_NAME(Freshness, out_of_date)
    ORLOP_NAME(Freshness, up_to_date)
  }
  return "";
}

std::string_view enumerator_of(RunningState state) {
  switch (state) {
    ORLOP_NAME(RunningState, none)
    ORLOP_NAME(RunningState, starting)
    ORLOP_NAME(RunningState, running)
    ORLOP_NAME(RunningState, warning)
    ORLOP_NAME(RunningState, error)
    ORLOP_NAME(RunningState, stopping)
    ORLOP_NAME(RunningState, stopped)
    ORLOP_NAME(RunningState, completed)
    ORLOP_NAME(RunningState, unknown)
  }
  return "";
}

std::string_view enumerator_of(StepKind kind) {
  switch (kind) {
    ORLOP_NAME(StepKind, none)
    ORLOP_NAME(StepKind, build)
    ORLOP_NAME(StepKind, deploy)
    ORLOP_NAME(StepKind, execute)
    ORLOP_NAME(StepKind, stop)
    ORLOP_NAME(StepKind, restart)
    ORLOP_NAME(StepKind, remove)
    ORLOP_NAME(StepKind, cluster_create)
    ORLOP_NAME(StepKind, cluster_update)
    ORLOP_NAME(StepKind, cluster_upgrade)
    ORLOP_NAME(StepKind, cluster_dry_run)
    ORLOP_NAME(StepKind, cluster_stop)
    ORLOP_NAME(StepKind, cluster_remove)
    ORLOP_NAME(StepKind, cluster_restart)
  }
  return "";
}

std::string_view enumerator_of(ReportKind kind) {
  switch (kind) {
    ORLOP_NAME(ReportKind, build_started)
    ORLOP_NAME(ReportKind, built)
    ORLOP_NAME(ReportKind, started)
    ORLOP_NAME(ReportKind, executing)
    ORLOP_NAME(ReportKind, progress)
    ORLOP_NAME(ReportKind, log_line)
    ORLOP_NAME(ReportKind, succeeded)
    ORLOP_NAME(ReportKind, failed)
    ORLOP_NAME(ReportKind, credentials_refused)
    ORLOP_NAME(ReportKind, contact_lost)
    ORLOP_NAME(ReportKind, canceled)
    ORLOP_NAME(ReportKind, running_state)
  }
  return "";
}

std::string_view enumerator_of(CancelMode mode) {
  switch (mode) {
    ORLOP_NAME(CancelMode, interruptible)
    ORLOP_NAME(CancelMode, force)
  }
  return "";
}

std::string_view enumerator_of(EventKind kind) {
  switch (kind) {
    ORLOP_NAME(EventKind, created)
    ORLOP_NAME(EventKind, edited)
    ORLOP_NAME(EventKind, deleted)
    ORLOP_NAME(EventKind, state_changed)
    ORLOP_NAME(EventKind, request_queued)
    ORLOP_NAME(EventKind, request_started)
    ORLOP_NAME(EventKind, request_ended)
    ORLOP_NAME(EventKind, step_started)
    ORLOP_NAME(EventKind, step_ended)
    ORLOP_NAME(EventKind, progress)
    ORLOP_NAME(EventKind, log_line)
    ORLOP_NAME(EventKind, running_changed)
    ORLOP_NAME(EventKind, freshness_changed)
  }
  return "";
}

#undef ORLOP_NAME

struct Constant {
  std::string name;
  int number = 0;
  std::string_view meaning = {};
};

template <typename Enum>
std::vector<Constant> constants_of(std::string_view prefix) {
  std::vector<Constant> constants;
  for (int number = 0; number <= 255; ++number) {
    const std::string_view name = enumerator_of(static_cast<Enum>(number));
    if (!name.empty()) constants.push_back({std::string(prefix) + upper_case(name), number});
  }
  return constants;
}

std::vector<Constant> errors() {
  std::vector<Constant> constants = {{"ERROR_NONE", 0, "nothing went wrong"}};
#define ORLOP_ERROR(name, number, meaning) constants.push_back({"ERROR_" + upper_case(#name), number, meaning});
#include "base/error.def"
#undef ORLOP_ERROR
  return constants;
}

std::vector<Constant> service_states() {
  std::vector<Constant> constants;
#define ORLOP_SERVICE_STATE(name, number, word) constants.push_back({"SERVICE_" + upper_case(#name), number});
#include "lifecycle/states.def"
  return constants;
}

std::vector<Constant> cluster_states() {
  std::vector<Constant> constants;
#define ORLOP_CLUSTER_STATE(name, number, word) constants.push_back({"CLUSTER_" + upper_case(#name), number});
#include "lifecycle/states.def"
  return constants;
}

void append_enum(std::string& text, std::string_view about, std::string_view type, const std::vector<Constant>& constants) {
  text.append("\n// ").append(about).append("\ntypedef int32_t orlop_").append(type).append(";\nenum {\n");
  for (const Constant& constant : constants) {
    text.append("  ORLOP_").append(constant.name).append(" = ").append(std::to_string(constant.number));
    if (&constant != &constants.back()) text += ',';
    if (!constant.meaning.empty()) text.append("  // ").append(constant.meaning);
    text += '\n';
  }
  text += "};\n";
}

}  // namespace

std::string enums_header() {
  std::string text =
      "// The numbers of the interface: errors, states, steps, reports, events. They never change and are never reused; stores,\n"
      "// bindings and drivers keep them. Generated from the tables of the core; do not edit.\n"
      "#ifndef ORLOP_ENUMS_H\n#define ORLOP_ENUMS_H\n\n#include <stdint.h>\n";
  append_enum(text,
              "What went wrong. 1 to 99: the request was refused, and a reply says why; 100 and up: the engine could not answer.",
              "code", errors());
  append_enum(text, "The states of a service.", "service_state", service_states());
  append_enum(text, "The states of a cluster.", "cluster_state", cluster_states());
  append_enum(text, "What a request asks of an environment, a service or a cluster.", "action", constants_of<Action>("ACTION_"));
  append_enum(text, "Whether what runs is what is configured.", "freshness", constants_of<Freshness>("FRESHNESS_"));
  append_enum(text, "What the driver last said of a workload.", "running_state", constants_of<RunningState>("RUNNING_"));
  append_enum(text, "What a driver is asked to do.", "step_kind", constants_of<StepKind>("STEP_"));
  append_enum(text, "What a driver answers.", "report_kind", constants_of<ReportKind>("REPORT_"));
  append_enum(text, "How a step is canceled.", "cancel_mode", constants_of<CancelMode>("CANCEL_"));
  append_enum(text, "What the feed tells of.", "event_kind", constants_of<EventKind>("EVENT_"));
  return text + "\n#endif\n";
}

}  // namespace orlop
