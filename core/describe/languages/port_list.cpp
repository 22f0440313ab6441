#include "describe/languages/port_list.h"

#include "base/port.h"

namespace orlop {

const std::vector<PortEnum>& all_port_enums() {
  static const std::vector<PortEnum> enums = {
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(...)
#define ORLOP_PORT_VALUE(value, number, text) {#value, number, text},
#define ORLOP_PORT_ENUM(name, Type, prefix, text, values) {#name, #Type, #prefix, text, {values}},
#include "base/options/options.def"
  };
  return enums;
}

const std::vector<PortRecord>& all_port_records() {
  static const std::vector<PortRecord> records = {
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(...)
#define ORLOP_FIELD(kind, name, text) {PortKind::kind, #name, "", text},
#define ORLOP_PORT_RECORD(name, Type, text, fields) {#name, #Type, text, {fields}},
#include "base/options/options.def"
  };
  return records;
}

const std::vector<PortFacts>& all_ports() {
  static const std::vector<PortFacts> ports = {
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PART(kind, name, ...) \
  PortPart { PortKind::kind, #name, #__VA_ARGS__ }
#define ORLOP_FUNCTION(gives, name, text, ...) {PortGives::gives, #name, text, {ORLOP_EACH(ORLOP_PART, __VA_ARGS__)}},
#define ORLOP_RELEASE() {PortGives::release, "release"},
#define ORLOP_TEXT_MEMBER(name, about) {PortGives::text, #name, about},
#define ORLOP_PORT(group, name, Type, required, apis, text, about, members) {#name, #Type, false, about, {members}},
#define ORLOP_CUSTOM_PORT(group, name, Type, required, cpp_type, python_type, apis, text, about, members) \
  {#name, #Type, true, about, {members}},
#include "base/options/options.def"
  };
  return ports;
}

std::vector<PortMember> PortFacts::functions() const {
  std::vector<PortMember> found;
  for (const PortMember& member : members) {
    if (member.gives == PortGives::nothing || member.gives == PortGives::refusal) found.push_back(member);
  }
  return found;
}

std::string c_type_of(std::string_view type) {
  std::string name = "orlop";
  for (const char letter : type) {
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    if (is_capital) name += '_';
    name += is_capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return name;
}

}  // namespace orlop
