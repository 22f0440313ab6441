// A custom domain is a domain of the user under which a service is reachable.
#include <algorithm>

#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::computations {
ComputeFunction validation_domain;
}

namespace orlop::families::custom_domain {
namespace {

using namespace shapes;

constexpr std::string_view statuses[] = {"VALIDATION_PENDING"};

constexpr Field fields[] = {
    text("domain",
         "Domain name, as in `www.example.com` or `*.example.com`; unique within the organization without regard to "
         "case.")
        .required()
        .unique_name(),
    boolean("generate_certificate", "Issue and renew a TLS certificate for the domain.").required(),
    boolean("use_cdn",
            "The domain is served through a CDN, so that it does not resolve to the cluster. Default: false.")
        .defaults_to(false),
    computed(text("validation_domain",
                  "Domain name that the CNAME record of `domain` must point to: the public host name of the service."),
             computations::validation_domain),
    enumeration("status", statuses,
                "Status of the domain. `VALIDATION_PENDING`: the DNS record is checked by the next deployment.")
        .read_only()
        .always_present(),
};

bool is_label(std::string_view label) {
  constexpr std::size_t label_size_max = 63;
  const auto is_allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '-';
  };
  return !label.empty() && label.size() <= label_size_max && std::ranges::all_of(label, is_allowed) &&
         !label.starts_with('-') && !label.ends_with('-');
}

// Accepts two labels or more, the first of which may be the wildcard. The last one must not be a number: 10.0.0.1 is an
// address.
bool is_domain(std::string_view name) {
  constexpr std::size_t domain_size_max = 253;
  if (name.size() > domain_size_max) return false;
  if (name.starts_with("*.")) name.remove_prefix(2);
  int labels = 0;
  while (true) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string_view label = name.substr(0, dot);
    if (!is_label(label)) return false;
    ++labels;
    if (dot == name.size()) return labels > 1 && label.find_first_not_of("0123456789") != std::string_view::npos;
    name.remove_prefix(dot + 1);
  }
}

void check(const Value& record, ValidationContext&, Violations& violations) {
  const std::string_view domain = record.text_or("domain", "");
  if (!is_domain(domain))
    refuse(violations, "domain", "must be a domain name as in www.example.com, not " + quoted(domain));
}

void complete(Value& record, ValidationContext&) { record.set("status", Value("VALIDATION_PENDING")); }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 68,
    .name = "custom_domain",
    .schema = "CustomDomain",
    .segment = "customDomain",
    .id_name = "customDomainId",
    .about =
        "A custom domain is a domain name under which an application, a container or a Helm service is reached from "
        "the internet, "
        "in addition to the one that the platform gives it. A clone of the service has none.",
    .parents = {"application", "container", "helm"},
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .propagates = Propagation::parent,
    .configures = "domains",
    .is_cloned = false,
    .sample = R"({"domain": "www.example.com", "generate_certificate": true})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::custom_domain
