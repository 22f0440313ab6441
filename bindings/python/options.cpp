#include "options.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "arguments.h"
#include "port_calls.h"

namespace orlop_python {
namespace {

using Facts = orlop::OptionFacts;

std::int64_t number_of(const Facts& facts, py::handle given) {
  return number_in(given, facts.name, static_cast<std::int64_t>(facts.least), static_cast<std::int64_t>(facts.most));
}

void read(std::string_view& member, py::handle given, const Facts& facts) {
  member = facts.is_bytes ? bytes_in(given, facts.name) : text_in(given, facts.name);
}

void read(std::vector<std::string_view>& member, py::handle given, const Facts& facts) {
  member = facts.is_bytes ? byte_texts_in(given, facts.name) : texts_in(given, facts.name);
}

void read(std::uint32_t& member, py::handle given, const Facts& facts) {
  member = static_cast<std::uint32_t>(number_of(facts, given));
}
void read(std::uint64_t& member, py::handle given, const Facts& facts) {
  member = static_cast<std::uint64_t>(number_of(facts, given));
}

void read(std::optional<std::uint32_t>& member, py::handle given, const Facts& facts) {
  member = static_cast<std::uint32_t>(number_of(facts, given));
}

void read(std::optional<std::uint64_t>& member, py::handle given, const Facts& facts) {
  member = natural_in(given, facts.name);
}
void read(bool& member, py::handle given, const Facts& facts) { member = flag_in(given, facts.name); }
void read(orlop::Duration& member, py::handle given, const Facts& facts) {
  member = orlop::Duration(number_of(facts, given));
}
void read(orlop::Instant& member, py::handle given, const Facts& facts) {
  member = orlop::Instant(orlop::Duration(number_of(facts, given)));
}

void read_choice(std::int32_t& member, py::handle given, const Facts& facts) {
  const std::string_view name = text_in(given, facts.name);
  std::string known;
  for (std::size_t number = 0; number < facts.values.size(); ++number) {
    if (facts.values[number] == name) {
      member = static_cast<std::int32_t>(number);
      return;
    }
    known.append(known.empty() ? "" : ", ").append(facts.values[number]);
  }
  refuse(std::string(facts.name) + " must be one of " + known + ", not " + shown(given));
}

}  // namespace

void PythonOptions::set(std::string_view name, const py::object& value) {
  const auto set_one = [&](const Facts& facts, auto& member) {
    using Member = std::remove_reference_t<decltype(member)>;
    if (facts.name != name) return false;
    if (value.is_none()) return true;
    if constexpr (std::is_same_v<Member, std::int32_t>) {
      read_choice(member, value, facts);
    } else if constexpr (std::is_same_v<Member, const orlop_store*>) {
      refuse("store cannot be given from Python: its functions are called under locks");
    } else if constexpr (std::is_same_v<Member, const orlop_aead*>) {
      refuse("aead cannot be given from Python: its functions are called under locks");
    } else if constexpr (requires { give(member, HostedPort{}); }) {
      give(member, host_->add(facts.name, value));
    } else {
      read(member, value, facts);
      kept_.push_back(value);
    }
    return true;
  };
  if (!orlop::visit_options(options_, set_one)) refuse("there is no option named \"" + std::string(name) + "\"");
}

std::shared_ptr<Host> PythonOptions::take_host() {
  if (host_ == nullptr) refuse("these options have opened an engine already");
  return std::exchange(host_, nullptr);
}

}  // namespace orlop_python
