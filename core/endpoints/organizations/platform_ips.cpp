// Addresses from which the platform connects to others.
#include <string>
#include <utility>

#include "endpoints/operation_set.h"
#include "wire/writer.h"

namespace orlop::operation_sets::organizations::platform_ips {
namespace {

// Reports whether the caller accepts text, alone or before JSON; the answer then has an address in each line.
bool wants_text(std::string_view accept) {
  const std::size_t text = accept.find("text/plain");
  return text != std::string_view::npos && text < accept.find("application/json");
}

Result<Answer> list_ips(Unit& unit, const Call& call) {
  if (wants_text(call.accept)) {
    Answer answer;
    answer.type = ContentType::text;
    for (const std::string& ip : unit.settings().platform_ips) answer.body += ip + "\n";
    return answer;
  }
  Writer out;
  out.begin_object().key("ips").begin_list();
  for (const std::string& ip : unit.settings().platform_ips) out.value(ip);
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field answer_fields[] = {
    list_of("ips", FieldKind::text,
            "IP addresses and CIDR ranges, as the option `platform_ips` of the engine has them.")
        .required(),
};
constexpr Shape answer_shape = {.name = "PlatformIpsResponse", .fields = answer_fields};

constexpr Operation operations[] = {{.path = "/ips",
                                     .name = "list_platform_ips",
                                     .handle = list_ips,
                                     .form = AnswerForm::shape,
                                     .answer = &answer_shape,
                                     .summary = "List the IP addresses of the platform",
                                     .about = "The addresses from which the platform reaches clusters, git providers "
                                              "and webhooks, for the rules of firewalls. With the header "
                                              "`Accept: text/plain` one address in each line.",
                                     .is_public = true,
                                     .also_gives = ContentType::text}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::organizations::platform_ips
