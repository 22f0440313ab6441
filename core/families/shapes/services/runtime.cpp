#include "families/shapes/services/runtime.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/text/net_address.h"
#include "model/validate.h"

namespace orlop::shapes {
namespace {

constexpr std::size_t volume_name_max = 64;
constexpr std::size_t dns_name_max = 253;

bool is_letter_or_digit(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

bool consists_of(std::string_view text, std::string_view others) {
  return std::ranges::all_of(
      text, [&](char letter) { return is_letter_or_digit(letter) || others.find(letter) != std::string_view::npos; });
}

bool is_volume_name(std::string_view text) {
  return !text.empty() && text.size() <= volume_name_max && is_letter_or_digit(text.front()) &&
         consists_of(text, "_.-");
}

// Names with "_" are no host names, but container engines and Compose files have them.
bool is_host_name(std::string_view text) {
  return !text.empty() && text.size() <= dns_name_max && is_letter_or_digit(text.front()) && consists_of(text, "_.-");
}

bool is_capability(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '_';
  });
}

bool is_signal(std::string_view text) {
  if (text.starts_with("SIG")) text.remove_prefix(3);
  return !text.empty() && text.size() <= 16 && consists_of(text, "+-");
}

class Check {
 public:
  Check(const Value& runtime, Violations& violations) : runtime_(runtime), violations_(violations) {}

  void all(const Value& record) {
    absolute("runtime.working_dir", runtime_.text_or("working_dir", ""));
    named("runtime.hostname", runtime_.text_or("hostname", ""), is_host_name, "a host name");
    named("runtime.stop_signal", runtime_.text_or("stop_signal", ""), is_signal, "a signal such as SIGINT");
    each("aliases", is_host_name, "a host name");
    each("capabilities_add", is_capability, "a capability in capitals, such as NET_ADMIN");
    each("capabilities_drop", is_capability, "a capability in capitals, such as NET_ADMIN");
    texts("sysctls", runtime_.find("sysctls"));
    texts("labels", runtime_.find("labels"));
    mounts(record);
    hosts();
    published();
    plain_texts();
    devices();
    build();
    ulimits();
    if (runtime_.text_or("network_mode", "").empty()) return;
    for (const std::string_view member : {"published_ports", "aliases"}) {
      if (!items_of(runtime_, member).empty())
        refuse(violations_, path(member), "must be absent with network_mode " + mode() + ", which opens no ports");
    }
  }

 private:
  static std::string path(std::string_view member) { return member_path("runtime", member); }
  std::string mode() const { return std::string(runtime_.text_or("network_mode", "")); }

  void absolute(std::string_view field, std::string_view given) {
    if (!given.empty() && !given.starts_with('/'))
      refuse(violations_, field, "must begin with /, not " + quoted(given));
  }
  void named(std::string_view field, std::string_view given, bool (*is_right)(std::string_view),
             std::string_view what) {
    if (!given.empty() && !is_right(given))
      refuse(violations_, field, "must be " + std::string(what) + ", not " + quoted(given));
  }
  void each(std::string_view member, bool (*is_right)(std::string_view), std::string_view what) {
    const Value::List& items = items_of(runtime_, member);
    for (std::size_t index = 0; index < items.size(); ++index) {
      const std::string_view given = items[index].is_text() ? items[index].as_text() : std::string_view();
      if (!is_right(given))
        refuse(violations_, item_path(path(member), index), "must be " + std::string(what) + ", not " + quoted(given));
    }
  }

  void texts(std::string_view member, const Value* given) {
    if (given == nullptr || !given->is_object()) return;
    if (given->members().size() > static_cast<std::size_t>(runtime_items_max)) {
      refuse(violations_, path(member),
             "must have at most " + std::to_string(runtime_items_max) + " entries, not " +
                 std::to_string(given->members().size()));
    }
    for (const Member& entry : given->members()) {
      const std::string field = path(member) + "." + std::string(entry.name.view().substr(0, runtime_name_max));
      if (entry.name.view().empty() || entry.name.view().size() > static_cast<std::size_t>(runtime_name_max))
        refuse(violations_, field, "must have a name of 1 to " + std::to_string(runtime_name_max) + " bytes");
      else if (!entry.value.is_text())
        refuse(violations_, field, "must be a string, not " + std::string(describe(entry.value.type())));
      else if (entry.value.as_text().size() > static_cast<std::size_t>(runtime_value_max))
        refuse(violations_, field,
               "must have at most " + std::to_string(runtime_value_max) + " bytes, not " +
                   std::to_string(entry.value.as_text().size()));
    }
  }

  void address(std::string_view field, std::string_view given, std::string_view or_else = "") {
    if (parse_ipv4(given) || parse_ipv6(given) || (!or_else.empty() && given == or_else)) return;
    refuse(violations_, field,
           "must be an IP address" + (or_else.empty() ? "" : " or " + std::string(or_else)) + ", not " + quoted(given));
  }

  void hosts() {
    const Value::List& items = items_of(runtime_, "extra_hosts");
    for (std::size_t index = 0; index < items.size(); ++index) {
      const auto field = [&](std::string_view member) { return item_path("runtime.extra_hosts", index, member); };
      named(field("hostname"), items[index].text_or("hostname", ""), is_host_name, "a host name");
      address(field("address"), items[index].text_or("address", ""), "host-gateway");
    }
    const Value::List& servers = items_of(runtime_, "dns_servers");
    for (std::size_t index = 0; index < servers.size(); ++index)
      address(item_path("runtime.dns_servers", index), servers[index].is_text() ? servers[index].as_text() : "");
  }

  void published() {
    const Value::List& items = items_of(runtime_, "published_ports");
    std::map<std::string, std::size_t> first;
    for (std::size_t index = 0; index < items.size(); ++index) {
      const auto field = [&](std::string_view member) { return item_path("runtime.published_ports", index, member); };
      const std::string_view host = items[index].text_or("host_address", "");
      if (!host.empty()) address(field("host_address"), host);
      const std::int64_t number = items[index].integer_or("external_port", 0);
      if (number == 0) continue;
      const std::string key = std::to_string(number).append(items[index].text_or("transport", "TCP")).append(host);
      const auto [earlier, is_new] = first.try_emplace(key, index);
      if (is_new) continue;
      refuse(violations_, field("external_port"),
             "must differ from that of " + item_path("runtime.published_ports", earlier->second));
    }
  }

  // Texts that reach a container engine as they are.
  void plain_texts() {
    constexpr std::string_view lists[] = {"entrypoint", "groups", "dns_search", "dns_options", "security_options"};
    plain("runtime.user", runtime_.text_or("user", ""));
    for (const std::string_view list : lists) {
      const Value::List& items = items_of(runtime_, list);
      for (std::size_t index = 0; index < items.size(); ++index)
        plain(item_path(path(list), index), items[index].is_text() ? items[index].as_text() : "");
    }
  }
  void plain(const std::string& field, std::string_view given) {
    if (given.find('\0') != std::string_view::npos) refuse(violations_, field, "must not have the character U+0000");
    if (given.size() > text_size_max)
      refuse(violations_, field,
             "must have at most " + std::to_string(text_size_max) + " bytes, not " + std::to_string(given.size()));
  }

  void mounts(const Value& record) {
    check_distinct(runtime_, "mounts", "mount_point", violations_, "runtime");
    const Value::List& items = items_of(runtime_, "mounts");
    for (std::size_t index = 0; index < items.size(); ++index) mount(record, items[index], index);
  }

  void mount(const Value& record, const Value& item, std::size_t index) {
    const auto field = [&](std::string_view member) { return item_path("runtime.mounts", index, member); };
    const std::string_view type = item.text_or("type", "");
    const std::string_view source = item.text_or("source", "");
    const std::string_view folder = item.text_or("mount_point", "");
    absolute(field("mount_point"), folder);
    if (folder.starts_with('/') && (folder.size() == 1 || folder.ends_with('/') || folder.find(':') != folder.npos))
      refuse(violations_, field("mount_point"),
             "must be a path below / without : and without / at its end, not " + quoted(folder));
    const Value::List& storage = items_of(record, "storage");
    const auto is_there = [&](const Value& other) { return other.text_or("mount_point", "") == folder; };
    if (std::ranges::any_of(storage, is_there))
      refuse(violations_, field("mount_point"), "must differ from the mount points of storage, not " + quoted(folder));
    if (type == "VOLUME" && !is_volume_name(source)) {
      refuse(violations_, field("source"),
             "must be the name of a volume: letters, digits, _, . and -, at most " + std::to_string(volume_name_max) +
                 " bytes, not " + quoted(source));
    }
    if (type == "HOST_PATH" && !source.starts_with('/'))
      refuse(violations_, field("source"), "must be an absolute path, not " + quoted(source));
    if (type == "TMPFS" && !source.empty())
      refuse(violations_, field("source"), "must be absent for TMPFS, not " + quoted(source));
    if (type != "TMPFS" && item.has("size_in_mib"))
      refuse(violations_, field("size_in_mib"), "must be absent for " + std::string(type));
  }

  void devices() {
    const Value::List& items = items_of(runtime_, "devices");
    for (std::size_t index = 0; index < items.size(); ++index) {
      const auto field = [&](std::string_view member) { return item_path("runtime.devices", index, member); };
      absolute(field("host_path"), items[index].text_or("host_path", ""));
      absolute(field("container_path"), items[index].text_or("container_path", ""));
      const std::string_view given = items[index].text_or("permissions", "rwm");
      if (given.empty() || given.find_first_not_of("rwm") != std::string_view::npos)
        refuse(violations_, field("permissions"), "must be letters of rwm, not " + quoted(given));
    }
  }

  void build() {
    const Value* const build = runtime_.find("build");
    if (build == nullptr || !build->is_object()) return;
    absolute("runtime.build.context", build->text_or("context", ""));
    texts("build.args", build->find("args"));
    if (build->has("dockerfile") && build->has("dockerfile_raw"))
      refuse(violations_, "runtime.build.dockerfile", "must be absent where dockerfile_raw is given");
  }

  void ulimits() {
    check_distinct(runtime_, "ulimits", "name", violations_, "runtime");
    const Value::List& items = items_of(runtime_, "ulimits");
    for (std::size_t index = 0; index < items.size(); ++index) {
      const std::int64_t soft = items[index].integer_or("soft", 0);
      const std::int64_t hard = items[index].integer_or("hard", 0);
      if (hard != -1 && (soft == -1 || soft > hard))
        refuse(violations_, item_path("runtime.ulimits", index, "soft"),
               "must be at most hard, " + std::to_string(hard) + ", not " + std::to_string(soft));
    }
  }

  const Value& runtime_;
  Violations& violations_;
};

}  // namespace

void check_runtime(const Value& record, Violations& violations) {
  const Value* const runtime = record.find("runtime");
  if (runtime != nullptr && runtime->is_object()) Check(*runtime, violations).all(record);
}

void complete_runtime(Value& record) {
  const Value* const runtime = record.find("runtime");
  if (runtime != nullptr && runtime->is_null()) record.erase("runtime");
}

}  // namespace orlop::shapes
