#include "sim/control_description.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view text = R"({"type":"string"})";
constexpr std::string_view count = R"({"type":"integer","minimum":0})";
constexpr std::string_view positive = R"({"type":"integer","minimum":1})";
constexpr std::string_view only_read = R"({"type":"integer","minimum":0,"readOnly":true})";
constexpr std::string_view share = R"({"type":"number","minimum":0,"maximum":1})";
constexpr std::string_view map = R"({"type":"object"})";
constexpr std::string_view duration =
    R"({"description":"Seconds, or a text such as 30s or 1h30m.","type":["string","number"]})";
constexpr std::string_view time =
    R"({"description":"Seconds, a text such as 30s, or a distribution such as {\"distribution\": \"lognormal\", )"
    R"(\"median\": \"30s\", \"sigma\": 0.4}.","type":["string","number","object"]})";
constexpr std::string_view instant =
    R"({"description":"A time such as 2026-01-01T12:00:00Z, or a duration from now.","type":["string","number"]})";
constexpr std::string_view reports =
    R"({"type":"array","items":{"type":"object","required":["text"],"properties":{"after":{"type":["string",)"
    R"("number","object"]},"text":{"type":"string"}}}})";

struct Property {
  std::string_view name;
  std::string_view schema;
  std::string_view meaning;
};

constexpr Property rule[] = {
    {"rule", text, "Name of the rule, which the log of each step says that it decides."},
    {"kind", text, "Family of the subject, such as container or cluster."},
    {"step", text, "Kind of step, such as build or cluster_create."},
    {"name", text, "Pattern for the name of the subject; * stands for any text, ? for one byte."},
    {"attempt", count, "Number of the attempt, from 1."},
    {"environment", text, "Pattern for the name of the environment."},
    {"mode", text, "Mode of the environment."},
    {"stage", text, "Pattern for the name of the deployment stage."},
    {"project", text, "Pattern for the name of the project."},
    {"organization", text, "Pattern for the name of the organization."},
    {"cluster", text, "Pattern for the name of the cluster."},
    {"cloud", text, "Cloud provider of the cluster."},
    {"region", text, "Region of the cluster."},
    {"labels", map, "Patterns for labels, by their keys."},
    {"metadata", map, "Patterns for metadata, by their keys."},
    {"where", map, "Patterns for members of the subject, by their names."},
    {"older", map,
     "How old the credentials of the cluster, references (registries and tokens that the subject names) or the "
     "environment are at least, by these names."},
    {"probability", share, "Probability with which the rule applies to a matching step."},
    {"weight", R"({"type":"number","exclusiveMinimum":0})",
     "Weight among the equally specific rules that match, of which one is drawn."},
    {"times", count, "Number of steps to which it applies; 0: no limit."},
    {"every", count, "It applies to each n-th matching step only."},
    {"over", positive, "It applies to matching steps over this number only: a quota, or with per a rate."},
    {"per", duration, "Window in which over counts; it begins with a matching step."},
    {"from", instant, "Time from which it applies."},
    {"until", instant, "Time until which it applies."},
    {"delay", time, "Time until the step begins."},
    {"after", time, "Duration of the step."},
    {"jitter", duration, "Random addition to the duration."},
    {"outcome", R"({"type":"string","enum":["succeed","fail","credentials_refused","hang"]})", "How the step ends."},
    {"fails", text, "Reason of a failure."},
    {"outputs", map, "Outputs of a job that succeeds."},
    {"running", text, "Running state that is reported after a success."},
    {"progress", reports, "Progress on the way."},
    {"log", reports, "Log lines on the way."},
    {"contact_lost_after", time, "Time after the beginning at which contact is lost."},
    {"contact_back_after", time, "Time after the beginning at which contact is back."},
    {"recap_after", time, "Time after the beginning from which results are collected."},
    {"build", time, "Time for which a cluster is prepared before it is deployed."},
    {"hold", R"({"type":"string","enum":["none","start","begin","end","cancel"]})",
     "Where the step waits to be advanced."},
    {"queued", time,
     "Time for which what is requested of an environment or cluster waits in QUEUED: the rule is of requests, not of "
     "steps."},
    {"parallel", positive,
     "Number of requests that the rule applies to and that are under way at one time; others wait in QUEUED. The rule "
     "is of requests."},
    {"lasts", time, "Time from its creation after which an environment is deleted. The rule is of environments."},
    {"crash_after", time, "Time after a success at which the workload crashes."},
    {"cancel_after", time, "Duration of a cancellation."},
    {"matched", only_read, "Number of steps or requests that matched it. Only read."},
    {"applied", only_read, "Number of those to which it applied. Only read."},
};

constexpr Property fault[] = {
    {"operation", text, "Operation id, or a pattern."},
    {"status", R"({"type":"integer","minimum":400,"maximum":599})",
     "Status in the place of the answer; the request is not carried out."},
    {"latency", duration, "Virtual time that passes before the answer."},
    {"drop", R"({"type":"boolean"})", "The request is carried out and its answer lost."},
    {"stale", duration, "A read is answered as less than this time before."},
    {"unknown_enum", text, "Pattern for members whose enum values are replaced by SIMULATED_VALUE."},
    {"probability", share, "Probability with which it applies to a matching request."},
    {"nth", positive, "It applies to each n-th matching request only."},
    {"times", count, "Number of requests to which it applies; 0: no limit."},
    {"matched", only_read, "Number of requests that matched it. Only read."},
    {"applied", only_read, "Number of those to which it applied. Only read."},
};

constexpr Property rules[] = {
    {"rules", R"({"type":"array","items":{"$ref":"#/components/schemas/Rule"}})",
     "In the order in which they were added."},
    {"transitions", R"({"type":"object","additionalProperties":{"type":["string","number","null"]}})",
     "By family: immediate, manual, a duration, or \"after 3 reads\"."},
    {"pack", R"({"type":["string","null"],"enum":["instant","realistic","chaos",null]})",
     "What steps do where no rule applies."},
};

constexpr Property faults[] = {{"faults", R"({"type":"array","items":{"$ref":"#/components/schemas/Fault"}})",
                                "In the order in which they were added."}};

constexpr Property external[] = {
    {"rule", text, "Name of the rule, which the event of a limit that refuses says."},
    {"question", text, "Name of the question; of a failure also a pattern."},
    {"where", map, "Patterns for members of the question's input."},
    {"answer", "{}", "The answer, which matches the schema of the question."},
    {"error", text, "Reason of a failure, in the place of an answer."},
    {"delay", duration, "Virtual time that the answer takes."},
    {"times", count, "Number of asks to which it applies; 0: no limit."},
    {"over", positive, "It applies to matching asks over this number only: a quota, or with per a rate."},
    {"per", duration, "Window in which over counts; it begins with a matching ask."},
};

constexpr Property externals[] = {{"externals", R"({"type":"array","items":{"$ref":"#/components/schemas/External"}})",
                                   "In the order in which they were added."}};

constexpr Property domain[] = {
    {"rule", text, "Name of the rule."},
    {"domain", text, "Pattern for the domain name."},
    {"probability", share, "Probability with which the rule applies to a matching domain."},
    {"dns_after", time, "Time from the last change of the custom domain until its DNS record is known."},
    {"certificate_after", time, "Time from then until its certificate is issued."},
    {"dns_fails", text, "The DNS record is wrong, with this reason."},
    {"status", R"({"type":"string","enum":["DOMAIN_NOT_CONFIGURED","DOMAIN_LINKED_TO_WRONG_HOST","GENERIC_FAILURE"]})",
     "Status of what is wrong. Default: GENERIC_FAILURE."},
    {"certificate_fails", text, "No certificate is issued, with this reason."},
};

constexpr Property domains[] = {{"domains", R"({"type":"array","items":{"$ref":"#/components/schemas/Domain"}})",
                                 "In the order in which they were added."}};

constexpr std::string_view patterns = R"({"type":"array","maxItems":1000,"items":{"type":"string"}})";
constexpr std::string_view tags =
    R"({"type":"array","items":{"anyOf":[{"type":"string"},{"type":"object","required":["tag"],"properties":)"
    R"({"tag":{"type":"string"},"digest":{"type":"string","pattern":"^sha256:[0-9a-f]{64}$"}},)"
    R"("additionalProperties":false}]}})";
constexpr std::string_view commits =
    R"({"type":"array","items":{"anyOf":[{"type":"string"},{"type":"object","required":["id"],"properties":{"id":)"
    R"({"type":"string"},"message":{"type":"string"},"author":{"type":"string"},"tag":{"type":"string"},)"
    R"("created_at":{"type":"string","format":"date-time"}},"additionalProperties":false}]}})";

constexpr Property source[] = {
    {"image", text, "Name of an image, without registry and tag. One of image, chart and git is required."},
    {"registry", text, "Pattern for the name or URL of the container registry that holds the image. Default: any."},
    {"tags", tags, "Tags of the image, the newest last; of a tag also its digest."},
    {"chart", text, "Name of a Helm chart."},
    {"repository", text, "Pattern for the name or URL of the Helm repository that holds the chart. Default: any."},
    {"versions", R"({"type":"array","items":{"type":"string"}})", "Versions of the chart, the newest last."},
    {"git", text, "URL of a git repository."},
    {"branch", text, "Branch of the git repository. Default: main."},
    {"commits", commits, "Commits of the branch by their ids, the newest last."},
    {"removed", patterns,
     "Patterns for tags, versions or commits that no longer exist; they are removed before others are added."},
};

constexpr Property sources[] = {{"sources", R"({"type":"array","items":{"$ref":"#/components/schemas/Source"}})",
                                 "In the order in which they were added."}};

constexpr Property clock[] = {{"now", R"({"type":"string","format":"date-time"})", "The virtual time."},
                              {"passed_ms", R"({"type":"integer"})", "Virtual time that the request let pass."},
                              {"end", R"({"enum":["ended","idle","late"]})",
                               "With until_idle and until_ended: the deployment has ended, nothing is left to be done, "
                               "or the timeout has passed."}};

constexpr Property move[] = {
    {"advance", duration, "Time by which the clock is moved on."},
    {"until_idle", R"({"const":true})", "Moves the clock until nothing is under way."},
    {"until_ended", R"({"type":"string","format":"uuid"})", "Moves the clock until this deployment request has ended."},
    {"timeout", duration,
     "With until_idle and until_ended: the virtual time that may pass. Default: any with until_idle, 24h with "
     "until_ended."}};

constexpr Property state[] = {
    {"resource", R"({"type":"string","format":"uuid"})",
     "Service, cluster, task, environment or deployment request. Alone: what is held of it goes on."},
    {"state", text, "State of a service or cluster that is to be set, such as RECAP."},
    {"hold", R"({"const":true})", "Holds the resource."},
    {"for", duration, "Time after which it goes on by itself."},
};

constexpr std::string_view quantity = R"({"type":["string","number"]})";

constexpr Property capacity[] = {
    {"cluster", R"({"type":"string","format":"uuid"})", "The cluster. Without a capacity it has room for everything."},
    {"nodes", count, "Number of nodes, at least; required at first, with cpu and memory."},
    {"nodes_max", count, "Number of nodes up to which the cluster grows for what waits. Default: nodes."},
    {"cpu", quantity, "Cores of each node, such as 4 or 3500m."},
    {"memory", quantity, "Memory of each node: MB, or a text such as 16GiB."},
    {"pods", positive, "Instances that a node holds. Default: 110."},
    {"price", R"({"type":"number","minimum":0})", "Price of a node for an hour. Default: 0."},
    {"scale_up_after", duration, "Time until a further node is ready. Default: 2m."},
    {"scale_down_after", duration, "Time after which an empty node goes. Default: 10m."},
    {"reschedule_after", duration,
     "Time from the loss of a node until its instances may start on others. Default: 1m."},
    {"start_after", duration, "Time from the start of such an instance until it runs. Default: 10s."},
    {"lose", positive, "Number of nodes that are lost now; only with cluster and for."},
    {"for", duration, "Time after which the lost nodes are back. Default: they are gone."},
};

constexpr Property record[] = {{"record", R"({"type":"string","enum":["all","states","none"]})",
                                "What the feed keeps: every event; what was created, edited and deleted, changes of "
                                "states and deployments; nothing."}};

constexpr Property capacities[] = {{"clusters", R"({"type":"array","items":{"type":"object"}})",
                                    "Of each cluster with a capacity its settings and its usage."}};

template <std::size_t size>
void write_schema(Writer& out, std::string_view name, const Property (&properties)[size]) {
  out.key(name).begin_object().field("type", "object").key("properties").begin_object();
  for (const Property& property : properties) {
    out.key(property.name)
        .begin_object()
        .field("description", property.meaning)
        .key("allOf")
        .begin_list()
        .raw(property.schema)
        .end_list()
        .end_object();
  }
  out.end_object().field("additionalProperties", name == "Clock").end_object();
}

struct Described {
  std::string_view path;
  std::string_view method;
  std::string_view name;
  std::string_view summary;
  std::string_view body;    // name of a schema, or two with | between; empty if none
  std::string_view answer;  // the same; empty: 204
  bool names_one = false;   // its body names a resource, which may not exist
};

// Grouped by path.
constexpr Described described_operations[] = {
    {"/-/sim/rules", "get", "get_simulation_rules", "Get the rules of the simulation", "", "Rules"},
    {"/-/sim/rules", "post", "add_simulation_rules", "Add a rule, or what a document of rules holds", "Rule|Rules", ""},
    {"/-/sim/rules", "put", "replace_simulation_rules", "Replace all rules", "Rules", ""},
    {"/-/sim/rules", "delete", "delete_simulation_rules", "Remove all rules", "", ""},
    {"/-/sim/faults", "get", "get_simulation_faults", "Get the faults of the interface", "", "Faults"},
    {"/-/sim/faults", "post", "add_simulation_faults", "Add a fault, or a list of faults", "Fault|Faults", ""},
    {"/-/sim/faults", "delete", "delete_simulation_faults", "Remove all faults", "", ""},
    {"/-/sim/externals", "get", "get_simulation_externals", "Get the rules of the scripted external systems", "",
     "Externals"},
    {"/-/sim/externals", "post", "add_simulation_externals",
     "Add a rule of the scripted external systems, or a list of rules", "External|Externals", ""},
    {"/-/sim/externals", "delete", "delete_simulation_externals", "Remove all rules of the scripted external systems",
     "", ""},
    {"/-/sim/domains", "get", "get_simulation_domains", "Get the rules of custom domains", "", "Domains"},
    {"/-/sim/domains", "post", "add_simulation_domains", "Add a rule of custom domains, or a list of rules",
     "Domain|Domains", ""},
    {"/-/sim/domains", "delete", "delete_simulation_domains", "Remove all rules of custom domains", "", ""},
    {"/-/sim/sources", "get", "get_simulation_sources",
     "Get the images, charts and commits of the scripted external systems", "", "Sources"},
    {"/-/sim/sources", "post", "add_simulation_sources",
     "Add or remove tags, versions or commits of an image, chart or branch, or of several", "Source|Sources", ""},
    {"/-/sim/sources", "delete", "delete_simulation_sources",
     "Remove all images, charts and commits: everything exists again", "", ""},
    {"/-/sim/clock", "get", "get_simulation_clock", "Get the virtual time", "", "Clock"},
    {"/-/sim/clock", "post", "move_simulation_clock", "Move the virtual time on", "Move", "Clock", true},
    {"/-/sim/state", "post", "set_simulation_state", "Set the state of a resource, hold it, or let it go on", "State",
     "", true},
    {"/-/sim/capacity", "get", "get_simulation_capacity", "Get the capacity of clusters, and how much of it is used",
     "", "Capacities"},
    {"/-/sim/capacity", "post", "set_simulation_capacity", "Set the capacity of a cluster, or lose nodes of it",
     "Capacity", "", true},
    {"/-/sim/capacity", "delete", "delete_simulation_capacity", "Give every cluster room for everything again", "", ""},
    {"/-/sim/record", "get", "get_simulation_record", "Get what the feed keeps", "", "Record"},
    {"/-/sim/record", "post", "set_simulation_record", "Set what the feed keeps from now on", "Record", ""},
    {"/-/sim/snapshot", "get", "get_simulation_snapshot", "Get a snapshot of the simulation", "", "text"},
    {"/-/sim/snapshot", "put", "restore_simulation_snapshot",
     "Go back to a snapshot, or take that of another simulation", "text", ""},
    {"/-/sim/openapi.json", "get", "get_simulation_description", "Get this document", "", "any"},
};

void write_reference(Writer& out, std::string_view name) {
  out.begin_object().field("$ref", "#/components/schemas/" + std::string(name)).end_object();
}

void write_content(Writer& out, std::string_view schema) {
  out.key("content")
      .begin_object()
      .key(schema == "text" ? "application/jsonl" : "application/json")
      .begin_object()
      .key("schema");
  const std::size_t either = schema.find('|');
  if (schema == "text" || schema == "any") {
    out.raw(schema == "text" ? text : map);
  } else if (either != std::string_view::npos) {
    out.begin_object().key("anyOf").begin_list();
    write_reference(out, schema.substr(0, either));
    write_reference(out, schema.substr(either + 1));
    out.end_list().end_object();
  } else {
    write_reference(out, schema);
  }
  out.end_object().end_object();
}

void write_operation(Writer& out, const Described& operation) {
  out.key(operation.method).begin_object().field("operationId", operation.name).field("summary", operation.summary);
  if (!operation.body.empty()) {
    out.key("requestBody").begin_object().field("required", true);
    write_content(out, operation.body);
    out.end_object();
  }
  out.key("responses").begin_object();
  out.key(operation.answer.empty() ? "204" : "200")
      .begin_object()
      .field("description", operation.answer.empty() ? "Done." : "The answer.");
  if (!operation.answer.empty()) write_content(out, operation.answer);
  out.end_object();
  if (!operation.body.empty())
    out.key("400")
        .begin_object()
        .field("description", "The body is wrong; the message names the member, its value and what is allowed.")
        .end_object();
  out.key("401")
      .begin_object()
      .field("description", "The engine wants credentials, and the request has none that are valid.")
      .end_object();
  if (operation.names_one)
    out.key("404").begin_object().field("description", "There is no such resource.").end_object();
  out.key("409")
      .begin_object()
      .field("description", "The simulation cannot do this now; the message says why.")
      .end_object();
  out.end_object().end_object();
}

}  // namespace

std::string control_description() {
  Writer out;
  out.begin_object().field("openapi", "3.1.0").key("info").begin_object();
  out.field("title", "Control of a simulation")
      .field("version", "1")
      .field("description", "Requests that only a simulation answers, with the credentials that its interface needs.");
  out.end_object().key("paths").begin_object();
  std::string_view path;
  for (const Described& operation : described_operations) {
    if (operation.path != path) {
      if (!path.empty()) out.end_object();
      path = operation.path;
      out.key(path).begin_object();
    }
    write_operation(out, operation);
  }
  out.end_object().end_object().key("components").begin_object().key("schemas").begin_object();
  write_schema(out, "Rule", rule);
  write_schema(out, "Rules", rules);
  write_schema(out, "Fault", fault);
  write_schema(out, "Faults", faults);
  write_schema(out, "External", external);
  write_schema(out, "Externals", externals);
  write_schema(out, "Domain", domain);
  write_schema(out, "Domains", domains);
  write_schema(out, "Source", source);
  write_schema(out, "Sources", sources);
  write_schema(out, "Clock", clock);
  write_schema(out, "Move", move);
  write_schema(out, "State", state);
  write_schema(out, "Capacity", capacity);
  write_schema(out, "Record", record);
  write_schema(out, "Capacities", capacities);
  out.end_object().end_object().end_object();
  return std::move(out).take();
}

}  // namespace orlop
