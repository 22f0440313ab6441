#include "sim/domains.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "deploy/driver/scripted_driver.h"
#include "sim/invalid_member.h"
#include "sim/rules/draws.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::string_view question_name = "check_domains";
constexpr std::size_t domain_rules_max = 10'000;
constexpr std::size_t domain_text_size_max = 1024;  // bytes
constexpr std::string_view domain_members[] = {
    "rule", "domain", "probability", "dns_after", "certificate_after", "dns_fails", "status", "certificate_fails"};
constexpr std::string_view statuses[] = {"DOMAIN_NOT_CONFIGURED", "DOMAIN_LINKED_TO_WRONG_HOST", "GENERIC_FAILURE"};

Result<void> read_text(const Value& given, const std::string& path, std::string& out) {
  if (!given.is_text() || given.as_text().empty() || given.as_text().size() > domain_text_size_max) {
    return invalid_member(
        path, "must be text of 1 to " + std::to_string(domain_text_size_max) + " bytes, not " + shown(given));
  }
  out = given.as_text();
  return {};
}

Result<void> read_member(DomainRule& rule, std::string_view name, const Value& given, const std::string& path) {
  if (name == "dns_after" || name == "certificate_after") {
    ORLOP_TRY(time, read_distribution(given, path));
    (name == "dns_after" ? rule.dns_after : rule.certificate_after) = std::move(time);
    return {};
  }
  if (name == "probability") {
    const bool is_number = given.type() == Value::Type::integer || given.type() == Value::Type::number;
    if (!is_number || !(given.as_number() >= 0 && given.as_number() <= 1))
      return invalid_member(path, "must be a number of 0 to 1, not " + shown(given));
    rule.probability = given.as_number();
    return {};
  }
  if (name == "status") {
    if (!given.is_text() || std::ranges::find(statuses, given.as_text()) == std::end(statuses)) {
      return invalid_member(
          path, "must be DOMAIN_NOT_CONFIGURED, DOMAIN_LINKED_TO_WRONG_HOST or GENERIC_FAILURE, not " + shown(given));
    }
    rule.status = given.as_text();
    return {};
  }
  std::string title;
  return read_text(given, path,
                   name == "domain"              ? rule.domain
                   : name == "dns_fails"         ? rule.dns_fails
                   : name == "certificate_fails" ? rule.certificate_fails
                                                 : title);
}

// `path` ends with a dot, or is empty.
Result<DomainRule> read_rule(const Value& given, const std::string& path) {
  if (!given.is_object()) return not_an_object(path, "the rule", given);
  DomainRule rule;
  for (const Member& member : given.members()) {
    const std::string at = path + std::string(beginning(member.name.view(), 64));
    if (std::ranges::find(domain_members, member.name.view()) == std::end(domain_members))
      return invalid_member(at, "is not a member of a rule of domains" + nearest_hint(member.name, domain_members));
    ORLOP_CHECK(read_member(rule, member.name.view(), member.value, at));
  }
  if (!rule.status.empty() && rule.dns_fails.empty())
    return invalid_member(path + "dns_fails", "is required where status is given");
  rule.given = given;
  return rule;
}

Result<Domains::Memory> domain_rules_in(const Value& given) {
  Domains::Memory rules;
  const Value* const list = given.find("domains");
  if (list == nullptr || given.members().size() != 1) {
    ORLOP_TRY(rule, read_rule(given, ""));
    rules.push_back(std::move(rule));
    return rules;
  }
  if (!list->is_list() || list->items().size() > domain_rules_max)
    return invalid_member(
        "domains", "must be a list of at most " + std::to_string(domain_rules_max) + " rules, not " + shown(*list));
  for (std::size_t at = 0; at < list->items().size(); ++at) {
    ORLOP_TRY(rule, read_rule(list->items()[at], "domains[" + std::to_string(at) + "]."));
    rules.push_back(std::move(rule));
  }
  return rules;
}

void write_checked(Writer& out, const CustomDomain& domain, std::string_view status, std::string_view details) {
  out.begin_object().field("domain_name", domain.name).field("status", status);
  if (details.empty()) out.field_null("error_details");
  else out.field("error_details", details);
  out.end_object();
}

// Draws derive from the id of the domain.
void check(Writer& out, const CustomDomain& domain, const DomainRule* rule, Instant now) {
  const std::string_view good = domain.uses_cdn ? "RESOLVES_TO_IP" : "MATCHES_LOAD_BALANCER_HOST";
  if (rule == nullptr) return write_checked(out, domain, good, "");
  Draws draws(domain.id, Draws::Purpose::course);
  const Instant known_at = domain.changed_at + draw(rule->dns_after, draws);
  const Instant issued_at = known_at + draw(rule->certificate_after, draws);
  if (now < known_at)
    return write_checked(out, domain, "DOMAIN_NOT_CONFIGURED",
                         "the DNS record of " + domain.name + " is not known yet");
  if (!rule->dns_fails.empty())
    return write_checked(out, domain, rule->status.empty() ? "GENERIC_FAILURE" : std::string_view(rule->status),
                         rule->dns_fails);
  if (!domain.has_certificate) return write_checked(out, domain, good, "");
  if (now < issued_at)
    return write_checked(out, domain, good, "the certificate of " + domain.name + " is not issued yet");
  write_checked(out, domain, good, rule->certificate_fails);
}

const DomainRule* rule_for(const Domains::Memory& rules, const CustomDomain& domain) {
  Draws draws(domain.id, Draws::Purpose::choice);
  const auto found = std::find_if(rules.rbegin(), rules.rend(), [&](const DomainRule& rule) {
    return matches(rule.domain, domain.name) && (!rule.probability || draws.unit() < *rule.probability);
  });
  return found == rules.rend() ? nullptr : &*found;
}

}  // namespace

Result<void> Domains::add(const Value& given) {
  ORLOP_TRY(added, domain_rules_in(given));
  const std::lock_guard lock(mutex_);
  if (rules_.size() + added.size() > domain_rules_max)
    return invalid_member("domains", "must be at most " + std::to_string(domain_rules_max) + " rules, not " +
                                         std::to_string(rules_.size() + added.size()));
  for (DomainRule& rule : added) rules_.push_back(std::move(rule));
  return {};
}

void Domains::clear() { go_back({}); }

bool Domains::is_empty() const {
  const std::lock_guard lock(mutex_);
  return rules_.empty();
}

void Domains::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_object().key("domains").begin_list();
  for (const DomainRule& rule : rules_) out.begin_object().members_of(rule.given).end_object();
  out.end_list().end_object();
}

Result<void> Domains::restore(const Value& given) {
  ORLOP_TRY(rules, domain_rules_in(given));
  go_back(std::move(rules));
  return {};
}

Domains::Memory Domains::memory() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

void Domains::go_back(Memory memory) {
  const std::lock_guard lock(mutex_);
  rules_ = std::move(memory);
}

bool Domains::answers(std::string_view question) const { return question == question_name && !is_empty(); }

Result<std::string> Domains::ask(std::string_view question, std::string_view input) {
  if (!answers(question))
    return make_error(ErrorCode::unanswered,
                      "the question " + std::string(question) + " is not answered by rules of domains");
  ORLOP_TRY(given, parse_stored(input));
  ORLOP_TRY(domains, find_(parse_id(given.text_or("service_id", "")).value_or(Id())));
  const Memory rules = memory();
  const Instant now = now_();
  Writer out;
  out.begin_list();
  for (const CustomDomain& domain : domains) check(out, domain, rule_for(rules, domain), now);
  out.end_list();
  return std::move(out).take();
}

}  // namespace orlop
