// A rule that evaluates a query of a cluster's metrics, and alerts while its condition holds.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/alert_state.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop {
namespace computations {
ComputeFunction alert_state;
ComputeFunction alert_is_up_to_date;
ComputeFunction alert_start;
}  // namespace computations

namespace families::alert_rule {
namespace {

using namespace shapes;

constexpr std::string_view kinds[] = {"CUSTOM", "BUILT"};
constexpr std::string_view operators[] = {"NONE", "ABOVE", "BELOW", "ABOVE_OR_EQUAL", "BELOW_OR_EQUAL", "EQUAL"};
constexpr std::string_view functions[] = {"NONE", "AVG", "MAX", "MIN", "SUM", "COUNT"};
constexpr std::string_view severities[] = {"LOW", "MEDIUM", "HIGH", "CRITICAL"};
constexpr std::string_view sources[] = {"MANAGED", "GHOST"};
constexpr std::string_view target_types[] = {"CLUSTER", " CLUSTER", "ENVIRONMENT", "APPLICATION", "CONTAINER",
                                             "JOB",     "CRONJOB",  "HELM",        "TERRAFORM"};

constexpr Field condition_fields[] = {
    enumeration("kind", kinds,
                "Origin of the query: written by hand (`CUSTOM`), or made by a form from its other members (`BUILT`). "
                "Both are evaluated alike.")
        .required(),
    enumeration("operator", operators,
                "Comparison of the value of the query with `threshold`. `NONE`: the condition holds while the query "
                "returns any sample, as in Prometheus. "
                "Default: `NONE`.")
        .defaults_to("NONE"),
    number("threshold", "Value with which the query's value is compared. Required unless `operator` is `NONE`."),
    enumeration("function", functions,
                "Function that makes one value of the samples of the query. `NONE`: the condition holds if any sample "
                "fits. Default: `NONE`.")
        .defaults_to("NONE"),
    text("promql", "Query in PromQL. It is evaluated on the metrics store of the cluster once a minute.")
        .required()
        .at_least(1)
        .at_most(16'384),
};
constexpr Shape condition = {.name = "AlertRuleCondition", .fields = condition_fields};
constexpr Field presentation_fields[] = {
    text("summary", "Text of the messages about the alert.").nullable(),
    uri("runbook_url", "URL of the instructions for those who handle the alert.").nullable(),
};
constexpr Shape presentation = {.name = "AlertPresentation", .fields = presentation_fields};
constexpr Field target_fields[] = {
    enumeration("target_type", target_types,
                "Kind of the target. ` CLUSTER`, with a space, is another spelling of `CLUSTER`.")
        .required(),
    uuid("target_id", "ID of the target.").required(),
};
constexpr Shape target = {.name = "AlertTarget", .fields = target_fields};

constexpr Field receiver_ids = [] {
  Field field =
      list_of("alert_receiver_ids", FieldKind::id, "IDs of the alert receivers that are sent messages, each once.")
          .required()
          .at_least(1)
          .at_most(100)
          .unique_items();
  field.refers_to = "alert_receiver";
  return field.on_delete(OnDelete::refuse);
}();

constexpr Field fields[] = {
    uuid("organization_id", "ID of the organization.").required().immutable(),
    reference("cluster_id", "cluster", "ID of the cluster whose metrics are queried. The rule is deleted with it.")
        .required()
        .immutable()
        .on_delete(OnDelete::cascade),
    enumeration("source", sources, "Origin of the rule. Always `MANAGED`: the rule is stored here.")
        .read_only()
        .always_present(),
    text("name", "Name of the rule, 1 to 255 bytes.").required().unique_name(),
    text("description", "Free text that describes the rule.").required(),
    text("tag", "Free text by which rules are grouped.").required().at_most(255),
    object("condition", condition, "Condition under which the rule alerts.").required(),
    duration("for_duration", "Time for which the condition must hold before the rule fires, as in `PT5M`.").required(),
    enumeration("severity", severities, "Severity of the alert.").required(),
    object("presentation", presentation, "Text of the messages.").required(),
    boolean("enabled", "Evaluate the rule. False: its state is `SUPPRESSED`, and nothing is sent.").required(),
    receiver_ids,
    object("target", target, "Resource that the rule is about.").required().immutable(),
    computed(enumeration("state", alert_states,
                         "State of the rule: never evaluated (`UNDEPLOYED`), the condition does not hold (`OK`), it "
                         "holds for less than `for_duration` "
                         "(`TRIGGERED`), the rule fires and its messages are being sent (`PENDING_NOTIFICATION`) or "
                         "are sent (`NOTIFIED`), it fires and has no "
                         "receiver for its severity (`UNROUTED`), or it is not enabled (`SUPPRESSED`)."),
             computations::alert_state)
        .always_present(),
    computed(boolean("is_up_to_date", "True if the last evaluation was one of the rule as it is now."),
             computations::alert_is_up_to_date)
        .always_present(),
    computed(date_time("starts_at", "Time since which the condition holds. Null: it does not.").nullable(),
             computations::alert_start),
};

std::string_view family_of(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> families[] = {{"CLUSTER", "cluster"},
                                                                        {" CLUSTER", "cluster"},
                                                                        {"ENVIRONMENT", "environment"},
                                                                        {"APPLICATION", "application"},
                                                                        {"CONTAINER", "container"},
                                                                        {"JOB", "job"},
                                                                        {"CRONJOB", "job"},
                                                                        {"HELM", "helm"},
                                                                        {"TERRAFORM", "terraform"}};
  const auto found = std::ranges::find(families, type, [](const auto& entry) { return entry.first; });
  return found == std::end(families) ? std::string_view() : found->second;
}

char closing(char opening) { return opening == '(' ? ')' : opening == '[' ? ']' : '}'; }

// Checks that brackets and quotation marks are balanced, because the metrics store would refuse the query at each
// evaluation. The store reports all other errors. A comment begins with # and ends with its line.
bool is_balanced(std::string_view query) {
  std::string open;
  char quote = 0;
  for (std::size_t at = 0; at < query.size(); ++at) {
    const char letter = query[at];
    if (quote != 0) {
      if (letter == '\\' && quote != '`') ++at;
      if (letter == quote) quote = 0;
    } else if (letter == '#') {
      at = std::min(query.find('\n', at), query.size());
    } else if (letter == '"' || letter == '\'' || letter == '`') {
      quote = letter;
    } else if (letter == '(' || letter == '[' || letter == '{') {
      open += closing(letter);
    } else if (letter == ')' || letter == ']' || letter == '}') {
      if (open.empty() || open.back() != letter) return false;
      open.pop_back();
    }
  }
  return open.empty() && quote == 0;
}

// Reports whether the query has more than blanks and comments.
bool has_expression(std::string_view query) {
  bool is_comment = false;
  for (const char letter : query) {
    is_comment = letter == '#' || (is_comment && letter != '\n');
    const bool is_blank = letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
    if (!is_comment && !is_blank) return true;
  }
  return false;
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  const Value* given = record.find("condition");
  if (given != nullptr && given->is_object()) {
    if (given->text_or("operator", "NONE") != "NONE" && !given->has("threshold"))
      refuse(violations, "condition.threshold", "is required for an operator other than NONE");
    const std::string_view query = given->text_or("promql", "");
    if (!query.empty() && !has_expression(query))
      refuse(violations, "condition.promql", "must have an expression, not only blanks and comments");
    if (!is_balanced(query))
      refuse(violations, "condition.promql",
             "must close its brackets and quotation marks; " + quoted(query) + " does not");
  }
  const Value* about = record.find("target");
  if (about == nullptr || !about->is_object() || context.previous() != nullptr) return;
  const std::string_view family = family_of(about->text_or("target_type", ""));
  const auto id = id_of(*about, "target_id");
  if (id && !family.empty() && !context.has(family, *id)) {
    refuse(violations, "target.target_id",
           "names no " + std::string(family) + " of this organization: " + to_text(*id));
  }
}

void complete(Value& record, ValidationContext&) { record.set("source", Value("MANAGED")); }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 83,
    .name = "alert_rule",
    .schema = "AlertRule",
    .segment = "alert-rules",
    .id_name = "alertRuleId",
    .about =
        "An alert rule evaluates a PromQL query on the metrics of a cluster once a minute. While its condition holds "
        "for longer than `for_duration` it fires, and its "
        "receivers are sent messages.",
    .parent = "organization",
    .parent_field = {.body = "organization_id"},
    .fields = fields,
    .name_scope = NameScope::none,
    .machine = MachineKind::schedule,
    .sample =
        R"({"organization_id": "{organization}", "cluster_id": "{cluster}", "name": "memory", "description": "", )"
        R"("tag": "", "for_duration": "PT5M", "severity": "HIGH",
                  "condition": {"kind": "CUSTOM", "operator": "ABOVE", "threshold": 0.9, "function": "MAX", )"
        R"("promql": "memory_used / memory_limit"},
                  "presentation": {"summary": "The memory is nearly full."}, "enabled": true, )"
        R"("alert_receiver_ids": ["{alert_receiver}"],
                  "target": {"target_type": "CLUSTER", "target_id": "{cluster}"}})",
    .check = check,
    .complete = complete,
};

}  // namespace families::alert_rule
}  // namespace orlop
