// Summary and description of an operation.
#include <string>
#include <string_view>

#include "describe/openapi/operations.h"
#include "describe/words.h"
#include "external_systems/question.h"
#include "model/registry.h"

namespace orlop {
namespace {

void replace(std::string& text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
}

// Fills the nouns of the route's family into the text.
std::string filled(std::string_view text, const Family* family, const Family* parent_in_path) {
  std::string made(text);
  if (family == nullptr) return made;
  const Family* parent = parent_in_path != nullptr ? parent_in_path : parent_of(*family);
  if (is_root(*family)) replace(made, " of {parent}", "");
  replace(made, "{one}", with_article(noun_of(*family)));
  replace(made, "{many}", nouns_of(*family));
  replace(made, "{parent}", parent != nullptr ? with_article(noun_of(*parent)) : with_article(parents_text(*family)));
  return made;
}

bool has_unique_name(const Family& family) {
  if (family.name_scope == NameScope::none) return false;
  for (const Field& field : family.fields) {
    if (field.is_unique_name) return true;
  }
  return false;
}

std::string_view after_create(const Family& family) {
  if (family.machine == MachineKind::service) return "The service is created in state `READY`; deploy it to run it.";
  if (family.machine == MachineKind::cluster)
    return "The cluster is created in state `READY`; deploy it to create it at the "
           "cloud provider.";
  return "";
}

// Returns the description of a plain verb without its own text.
std::string_view plain_text(Verb verb, const Family& family) {
  if (family.path == PathForm::single)
    return verb == Verb::read ? "Returns the values that were stored last, or the defaults." : "";
  switch (verb) {
    case Verb::create: return "Returns the new resource with its ID.";
    case Verb::list:
      return "Returns those that the caller may see, in the order of their creation. `page` and `page_size` select a "
             "page.";
    case Verb::read: return "Secrets are left out. 404: there is none with this ID, or the caller may not see it.";
    case Verb::edit:
    case Verb::remove: return "";
  }
  return "";
}

std::string_view after_edit(const Family& family) {
  if (family.machine == MachineKind::service)
    return "A change takes effect with the next deployment; until then the service "
           "is `OUT_OF_DATE`.";
  if (family.machine == MachineKind::cluster)
    return "A change takes effect with the next deployment; a locked cluster is "
           "refused with 409.";
  return "";
}

std::string_view after_remove(const Family& family) {
  switch (family.machine) {
    case MachineKind::service:
      return "Queues a request that deletes the deployed resources; the service disappears when it has succeeded. 409: "
             "its "
             "state does "
             "not allow a deletion.";
    case MachineKind::cluster:
      return "Queues a request that deletes the cluster at the cloud provider; a cluster that was never deployed is "
             "deleted at "
             "once. With its environments (`deleteMode`), all are hidden from requests at once, and their services are "
             "deleted before it. 409: environments use it, or its state does not allow a deletion.";
    case MachineKind::environment:
      return "Queues a request that deletes all services and then the environment; an environment without deployed "
             "services is "
             "deleted at once.";
    case MachineKind::task:
    case MachineKind::schedule:
    case MachineKind::none: break;
  }
  if (family.name == "organization" || family.name == "project") {
    return "Hides it and all below it from requests at once, then deletes the deployed services, by stages in "
           "reverse, and the clusters, and each record once its resources are gone. A service or cluster that cannot "
           "be "
           "deleted is shown again in state `DELETE_ERROR`, with what lies above it; delete it again then. 409: "
           "another "
           "resource refers to it.";
  }
  return family.name == "deployment_stage" ? "A stage that contains services is refused with 400."
                                           : "Deletes its children too. 409: another resource refers to it.";
}

// Describes the question to external systems, and the result without an answer.
std::string about_question(const Operation& operation) {
  if (!operation.asks) return {};
  const QuestionFacts& question = facts_of(*operation.asks);
  return "Asks the external systems of the host the question `" + std::string(question.name) +
         "`. Without an answer: " + std::string(question.otherwise) + ".";
}

void add(std::string& text, std::string_view sentence) {
  if (!sentence.empty()) text.append(text.empty() ? "" : " ").append(sentence);
}

}  // namespace

std::string summary_of(const Route& route) { return filled(route.operation.summary, route.family, route.parent); }

std::string description_of(const Route& route) {
  std::string text = filled(route.operation.about, route.family, route.parent);
  add(text, about_question(route.operation));
  if (!route.verb) return text;
  const Family& family = *route.family;
  if (route.operation.about.empty()) add(text, plain_text(*route.verb, family));
  const bool names = *route.verb == Verb::create || *route.verb == Verb::edit;
  if (*route.verb == Verb::create) add(text, after_create(family));
  if (*route.verb == Verb::edit) add(text, after_edit(family));
  if (*route.verb == Verb::remove) add(text, after_remove(family));
  if (names && has_unique_name(family)) add(text, "409: the name is taken.");
  return text;
}

}  // namespace orlop
