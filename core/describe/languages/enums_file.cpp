#include "describe/languages/enums_file.h"

#include <string_view>
#include <vector>

#include "base/error.h"
#include "describe/languages/enumerators.h"
#include "describe/words.h"

namespace orlop {
namespace {

struct Constant {
  std::string name;
  int number = 0;
  std::string_view meaning = {};
};

template <typename Enum>
std::vector<Constant> constants_of(std::string_view prefix) {
  std::vector<Constant> constants;
  for_each_enumerator<Enum>([&](Enum value, std::string_view name) {
    constants.push_back({std::string(prefix) + upper_case(name), static_cast<int>(value)});
  });
  return constants;
}

std::vector<Constant> errors() {
  std::vector<Constant> constants = {{"ERROR_NONE", 0, "no error"}};
#define ORLOP_ERROR(name, number, meaning) constants.push_back({"ERROR_" + upper_case(#name), number, meaning});
#include "base/error.def"
#undef ORLOP_ERROR
  return constants;
}

std::vector<Constant> service_states() {
  std::vector<Constant> constants;
#define ORLOP_SERVICE_STATE(name, number, spelling, action, nature, phase, status, chart, meaning) \
  constants.push_back({"SERVICE_" + upper_case(#name), number, meaning});
#include "lifecycle/states.def"
  return constants;
}

std::vector<Constant> cluster_states() {
  std::vector<Constant> constants;
#define ORLOP_CLUSTER_STATE(name, number, spelling, action, nature, chart, meaning) \
  constants.push_back({"CLUSTER_" + upper_case(#name), number, meaning});
#include "lifecycle/states.def"
  return constants;
}

std::vector<Constant> task_states() {
  std::vector<Constant> constants;
#define ORLOP_TASK_STATE(name, number, spelling, nature, meaning) \
  constants.push_back({"TASK_" + upper_case(#name), number, meaning});
#include "lifecycle/states.def"
  return constants;
}

void append_enumeration(std::string& text, std::string_view about, std::string_view type,
                        const std::vector<Constant>& constants) {
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
      "// The numbers of the interface: errors, states, steps, reports, events. They never change and are never "
      "reused; stores,\n"
      "// bindings and drivers keep them. Generated from the tables of the core; do not edit.\n"
      "#ifndef ORLOP_ENUMS_H\n#define ORLOP_ENUMS_H\n\n#include <stdint.h>\n";
  append_enumeration(
      text,
      "Errors. 1 to 99: the request was refused, and the reply gives the reason. From 100: the engine could not "
      "process the call.",
      "code", errors());
  append_enumeration(text, "The states of a service.", "service_state", service_states());
  append_enumeration(text, "The states of a cluster.", "cluster_state", cluster_states());
  append_enumeration(text, "The states of a task.", "task_state", task_states());
  append_enumeration(text,
                     "Actions that a request performs on an environment, a service or a "
                     "cluster.",
                     "action", constants_of<Action>("ACTION_"));
  append_enumeration(text, "Comparison of the configuration with what is deployed.", "freshness",
                     constants_of<Freshness>("FRESHNESS_"));
  append_enumeration(text,
                     "Running state of a workload, as the driver reported it "
                     "last.",
                     "running_state", constants_of<RunningState>("RUNNING_"));
  append_enumeration(text, "Kinds of steps that the engine starts in a driver.", "step_kind",
                     constants_of<StepKind>("STEP_"));
  append_enumeration(text, "Kinds of reports from a driver.", "report_kind", constants_of<ReportKind>("REPORT_"));
  append_enumeration(text, "Modes of canceling a step.", "cancel_mode", constants_of<CancelMode>("CANCEL_"));
  append_enumeration(text, "Kinds of events of the feed.", "event_kind", constants_of<EventKind>("EVENT_"));
  return text + "\n#endif\n";
}

}  // namespace orlop
