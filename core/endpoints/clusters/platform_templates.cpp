// Platform templates: their catalogue, which external systems answer, and the binding of a cluster to a template.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/family_number.h"
#include "endpoints/clusters/parts/platform_resolver.h"
#include "endpoints/clusters/parts/platform_shapes.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::platform_templates {
namespace {

Value input_of(const Id& organization) {
  return Value(Value::Object{{"organization_id", Value(to_text(organization))}});
}

void write_component(Writer& out, const Value& component) {
  out.begin_object().field("key", component.text_or("key", "")).field("kind", component.text_or("kind", ""));
  if (component.has("description")) out.field("description", component.text_or("description", ""));
  out.key("fields").begin_list();
  for (const Value& field : component.find("fields")->items()) {
    Value schema = field;
    schema.erase("scope");
    out.value(schema);
  }
  out.end_list().end_object();
}

void write_layer(Writer& out, const Value& layer) {
  out.begin_object();
  for (const std::string_view name : {"key", "mandatory", "enabledByDefault", "modes", "providers", "description"}) {
    if (layer.has(name)) out.field(name, *layer.find(name));
  }
  out.key("componentKeys").begin_list();
  for (const Value& component : layer.find("components")->items()) out.value(component.text_or("key", ""));
  out.end_list().key("components").begin_list();
  for (const Value& component : layer.find("components")->items()) write_component(out, component);
  out.end_list().end_object();
}

Result<Answer> list_templates(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  const std::string mode(query_text(call, "clusterMode"));
  const std::string provider(query_text(call, "cloudProvider"));
  return ask_later(unit, {.question = Question::list_platform_templates,
                          .input = input_of(organization.id),
                          .reply = [mode, provider](const Value& templates) {
                            Writer out;
                            out.begin_object().key("results").begin_list();
                            for (const Value& each : templates.items()) {
                              out.begin_object()
                                  .field("key", each.text_or("key", ""))
                                  .field("version", each.text_or("version", ""))
                                  .field("status", each.text_or("status", ""));
                              if (each.has("description")) out.field("description", each.text_or("description", ""));
                              out.key("layers").begin_list();
                              for (const Value& layer : each.find("layers")->items()) {
                                if (fits(layer, {mode, provider})) write_layer(out, layer);
                              }
                              out.end_list().end_object();
                            }
                            out.end_list().end_object();
                            return Result<Answer>(Answer{200, std::move(out).take()});
                          }});
}

Error no_template(std::string_view key, std::string_view version) {
  return make_error(ErrorCode::not_found, "no platform template has the key " + std::string(key) + " and the version " +
                                              std::string(version));
}

Result<Answer> resolve_of(const Value& templates, std::string_view key, std::string_view version,
                          std::string_view component_key, const Value& body, std::optional<Id> cluster) {
  const Value* chosen = find_template(templates, key, version);
  if (chosen == nullptr) return no_template(key, version);
  const Value* component = find_component(*chosen, component_key);
  if (component == nullptr)
    return make_error(ErrorCode::not_found, "the template has no component " + std::string(component_key));
  Writer out;
  out.begin_object();
  if (cluster) out.field("clusterId", *cluster);
  out.field("componentKey", component_key);
  write_resolution(out, *component,
                   {body.find("profileConfig"), body.find("clusterInputs"), body.find("componentOutputs")});
  out.end_object();
  return Answer{200, std::move(out).take()};
}

Value body_or_empty(const Call& call) { return call.body == nullptr ? Value::object() : *call.body; }

Result<Answer> resolve_template(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  return ask_later(unit, {.question = Question::list_platform_templates,
                          .input = input_of(organization.id),
                          .reply = [key = call.texts[0], version = call.texts[1], component = call.texts[2],
                                    body = body_or_empty(call)](const Value& templates) {
                            return resolve_of(templates, key, version, component, body, std::nullopt);
                          }});
}

// ---- The binding of a cluster

Result<Value> stored_binding(Unit& unit, const Record& cluster) {
  ORLOP_TRY(record, find_child(unit, cluster.id, platform_binding_number));
  if (!record)
    return make_error(ErrorCode::not_found, "cluster \"" + name_of(cluster) + "\" is not bound to a platform template");
  return full_value(*record);
}

Result<Answer> describe_binding(const Value& templates, const Value& binding, const PlatformTarget& target,
                                const Id& cluster_id, const Id& organization) {
  const std::string_view key = binding.text_or("templateKey", "");
  const std::string_view version = binding.text_or("templateVersion", "");
  const Value* chosen = find_template(templates, key, version);
  if (chosen == nullptr) return no_template(key, version);
  const Value* selections = binding.find("layerSelections");
  Writer out;
  out.begin_object()
      .field("clusterId", cluster_id)
      .field("organizationId", organization)
      .field("templateKey", key)
      .field("templateVersion", version);
  out.field("layerSelections", selections == nullptr ? Value::object() : *selections);
  out.field("managedConfig", without_secrets(*chosen, binding.find("managedConfig")));
  out.field("customerProvidedInputs", without_secrets(*chosen, binding.find("customerProvidedInputs")));
  out.key("layers");
  write_layers(out, *chosen, selections, target);
  out.end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> read_binding(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(binding, stored_binding(unit, cluster));
  ORLOP_TRY(body, unit.value_of(cluster));
  return ask_later(unit,
                   {.question = Question::list_platform_templates,
                    .input = input_of(cluster.organization),
                    .reply = [binding = std::move(binding), target = platform_target(*body, unit.settings().brand),
                              id = cluster.id, organization = cluster.organization](const Value& templates) {
                      return describe_binding(templates, binding, target, id, organization);
                    }});
}

// Error invalid unless each selected layer and each configured component is in the template.
Result<void> require_known(const Value& chosen, const Value& body) {
  const Value* selections = body.find("layerSelections");
  if (selections != nullptr) {
    for (const Member& layer : selections->members()) {
      bool is_known = false;
      for (const Value& each : chosen.find("layers")->items())
        is_known = is_known || each.text_or("key", "") == layer.name.view();
      if (!is_known)
        return invalid_field("layerSelections." + std::string(layer.name.view()),
                             "must be the key of a layer of the template");
    }
  }
  for (const std::string_view member : {"managedConfig", "customerProvidedInputs"}) {
    const Value* values = body.find(member);
    if (values == nullptr) continue;
    for (const Member& component : values->members()) {
      if (find_component(chosen, component.name.view()) != nullptr) continue;
      return invalid_field(std::string(member) + "." + std::string(component.name.view()),
                           "must be the key of a component of the template");
    }
  }
  return {};
}

Result<void> store_binding(Unit& unit, const Id& cluster, const Value& body) {
  const Family& family = *find_family(platform_binding_number);
  ORLOP_TRY(record, find_child(unit, cluster, family.number));
  const auto stored =
      record ? edit_record(unit, family, std::move(record).take(), body) : create_record(unit, family, cluster, body);
  return stored ? Result<void>() : Result<void>(stored.error());
}

Result<Answer> save_binding(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(described, unit.value_of(cluster));
  const PlatformTarget target = platform_target(*described, unit.settings().brand);
  return ask_later(
      unit, {.question = Question::list_platform_templates,
             .input = input_of(cluster.organization),
             .reply = [body = *call.body, target, id = cluster.id,
                       organization = cluster.organization](const Value& templates) -> Result<Answer> {
               const Value* chosen =
                   find_template(templates, body.text_or("templateKey", ""), body.text_or("templateVersion", ""));
               if (chosen == nullptr)
                 return invalid_field("templateKey",
                                      "must be the key of a platform template with the version in templateVersion, "
                                      "not \"" +
                                          std::string(body.text_or("templateKey", "").substr(0, 80)) + "\"");
               ORLOP_CHECK(require_known(*chosen, body));
               ORLOP_TRY(answer, describe_binding(templates, body, target, id, organization));
               answer.apply = [body, id, made = answer.body](Unit& later) -> Result<Answer> {
                 ORLOP_CHECK(require(later, *find_family("cluster"), id));
                 ORLOP_CHECK(store_binding(later, id, body));
                 return Answer{200, made};
               };
               return answer;
             }});
}

Result<Answer> resolve_binding(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(binding, stored_binding(unit, cluster));
  // Absent members are taken from the binding.
  Value body = body_or_empty(call);
  for (const auto& [given, stored] :
       {std::pair("profileConfig", "managedConfig"), std::pair("clusterInputs", "customerProvidedInputs")}) {
    const Value* held = binding.find_path({stored, call.texts.front()});
    if (!body.has(given) && held != nullptr) body.set(given, *held);
  }
  return ask_later(unit, {.question = Question::list_platform_templates,
                          .input = input_of(cluster.organization),
                          .reply = [body, binding = std::move(binding), component = call.texts.front(),
                                    id = cluster.id](const Value& templates) {
                            return resolve_of(templates, binding.text_or("templateKey", ""),
                                              binding.text_or("templateVersion", ""), component, body, id);
                          }});
}

constexpr Field catalog_query[] = {
    enumeration("clusterMode", question_shapes::platform_modes, "Return only layers for clusters of this mode."),
    enumeration("cloudProvider", question_shapes::platform_vendors, "Return only layers for this cloud provider."),
};
constexpr Field resolve_query[] = {
    enumeration("clusterMode", question_shapes::platform_modes, "Mode of the cluster.").required(),
    enumeration("cloudProvider", question_shapes::platform_vendors, "Cloud provider of the cluster.").required(),
};
constexpr Field template_texts[] = {
    text("templateKey", "Key of the template.").required().at_least(1).at_most(255),
    text("templateVersion", "Version of the template.").required().at_least(1).at_most(255),
    text("componentKey", "Key of the component.").required().at_least(1).at_most(255),
};
constexpr Field component_texts[] = {template_texts[2]};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/platformTemplate",
     .name = "list_platform_templates",
     .handle = list_templates,
     .query = catalog_query,
     .form = AnswerForm::shape_list,
     .answer = &question_shapes::shown_template,
     .summary = "List the platform templates of an organization",
     .asks = Question::list_platform_templates},
    {.method = Method::post,
     .path = "/organization/{organizationId}/platformTemplate/{templateKey}/{templateVersion}/component/{componentKey}/"
             "resolve",
     .name = "resolve_platform_template_component",
     .handle = resolve_template,
     .body = &platform_shapes::resolve_request,
     .query = resolve_query,
     .form = AnswerForm::shape,
     .answer = &platform_shapes::template_resolution,
     .summary = "Check values of a component of a platform template",
     .about = "Returns which values are missing, and what is wrong with those that are given. Nothing is stored.",
     .asks = Question::list_platform_templates,
     .path_texts = template_texts},
    {.path = "{item}/platformBinding",
     .name = "get_{family}_platform_binding",
     .handle = read_binding,
     .form = AnswerForm::shape,
     .answer = &platform_shapes::binding_answer,
     .summary = "Get the platform template of a cluster",
     .about = "404: the cluster is not bound to one. Values that the template calls sensitive are left out.",
     .asks = Question::list_platform_templates},
    {.method = Method::put,
     .path = "{item}/platformBinding",
     .name = "edit_{family}_platform_binding",
     .access = Access::write,
     .handle = save_binding,
     .body = &platform_shapes::binding_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &platform_shapes::binding_answer,
     .summary = "Bind a cluster to a platform template",
     .about = "Takes effect with the next deployment of the cluster. An edit that omits `managedConfig` or "
              "`customerProvidedInputs` keeps the stored values.",
     .asks = Question::list_platform_templates},
    {.method = Method::post,
     .path = "{item}/platformBinding/component/{componentKey}/resolve",
     .name = "resolve_{family}_platform_component",
     .handle = resolve_binding,
     .body = &platform_shapes::resolve_request,
     .form = AnswerForm::shape,
     .answer = &platform_shapes::binding_resolution,
     .summary = "Check values of a component of a cluster's platform template",
     .about = "Values that the request leaves out are those of the binding. Nothing is stored.",
     .asks = Question::list_platform_templates,
     .path_texts = component_texts},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::clusters::platform_templates
