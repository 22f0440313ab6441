#include "settings.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "arguments.h"

namespace orlop_python {
namespace {

using orlop::Options;

struct Setting {
  std::string_view name;
  void (*read)(Options& options, py::handle given, std::string_view name);
};

template <std::string_view Options::*member>
void text(Options& options, py::handle given, std::string_view name) {
  options.*member = text_in(given, name);
}

template <std::string_view Options::*member>
void bytes(Options& options, py::handle given, std::string_view name) {
  options.*member = bytes_in(given, name);
}

template <auto member, const auto& enum_values>
void enum_value(Options& options, py::handle given, std::string_view name) {
  options.*member = word_in(enum_values, given, name);
}

// The engine says what its bounds are, and takes 0 for the default: that is None here.
template <std::uint32_t Options::*member>
void count(Options& options, py::handle given, std::string_view name) {
  options.*member = static_cast<std::uint32_t>(number_in(given, name, 1, std::numeric_limits<std::uint32_t>::max()));
}

template <orlop::Duration Options::*member>
void duration(Options& options, py::handle given, std::string_view name) {
  options.*member = orlop::Duration(number_in(given, name, 1, std::numeric_limits<std::int64_t>::max()));
}

template <std::vector<std::string_view> Options::*member>
void texts(Options& options, py::handle given, std::string_view name) {
  options.*member = texts_in(given, name);
}

void mmap_size(Options& options, py::handle given, std::string_view name) {
  options.mmap_size = static_cast<std::uint64_t>(number_in(given, name, 0, std::numeric_limits<std::int64_t>::max()));
}

void seed(Options& options, py::handle given, std::string_view name) { options.seed = natural_in(given, name); }

void simulation(Options& options, py::handle given, std::string_view name) { options.simulation = flag_in(given, name); }

void require_cluster(Options& options, py::handle given, std::string_view name) {
  options.require_cluster = flag_in(given, name) ? ORLOP_REQUIRE_CLUSTER_YES : ORLOP_REQUIRE_CLUSTER_NO;
}

void start(Options& options, py::handle given, std::string_view name) {
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  options.start = orlop::Instant(orlop::Duration(number_in(given, name, -any, any)));
}

// Other than in C, 0 is no limit.
void rate_limit(Options& options, py::handle given, std::string_view name) {
  constexpr std::int64_t none = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t limit = number_in(given, name, 0, none);
  options.rate_limit = static_cast<std::uint32_t>(limit == 0 ? none : limit);
}

void previous_secret_keys(Options& options, py::handle given, std::string_view name) {
  options.previous_secret_keys = byte_texts_in(given, name);
}

constexpr Setting settings[] = {
    {"storage", text<&Options::storage>},
    {"durability", enum_value<&Options::durability, durabilities>},
    {"brand", text<&Options::brand>},
    {"busy", enum_value<&Options::busy, busy_policies>},
    {"max_parallel_builds", count<&Options::max_parallel_builds>},
    {"max_parallel_deploys", count<&Options::max_parallel_deploys>},
    {"step_deadline", duration<&Options::step_deadline>},
    {"cancel_deadline", duration<&Options::cancel_deadline>},
    {"history_kept", count<&Options::history_kept>},
    {"seed", seed},
    {"simulation", simulation},
    {"start", start},
    {"authentication", enum_value<&Options::authentication, authentications>},
    {"rate_limit", rate_limit},
    {"kubernetes_versions", texts<&Options::kubernetes_versions>},
    {"webhook_allow", texts<&Options::webhook_allow>},
    {"snapshot", bytes<&Options::snapshot>},
    {"secret_key", bytes<&Options::secret_key>},
    {"previous_secret_keys", previous_secret_keys},
    {"mmap_size", mmap_size},
    {"require_cluster", require_cluster},
    {"catalogs", enum_value<&Options::catalogs, catalog_uses>},
};

struct CallbackSetting {
  std::string_view name;
  py::object Host::*member;
};

constexpr CallbackSetting callbacks[] = {
    {"driver", &Host::driver},     {"clock", &Host::clock}, {"random_source", &Host::random_source},   {"token_authenticator", &Host::token_authenticator},
    {"git_provider", &Host::git_provider}, {"policy_evaluator", &Host::policy_evaluator}, {"webhook_sender", &Host::webhook_sender},
    {"log", &Host::log},
};

bool read_setting(std::string_view name, py::handle value, Options& options, Host& host) {
  for (const Setting& setting : settings) {
    if (setting.name != name) continue;
    if (!value.is_none()) setting.read(options, value, name);
    return true;
  }
  for (const CallbackSetting& callback : callbacks) {
    if (callback.name != name) continue;
    host.*callback.member = py::reinterpret_borrow<py::object>(value);
    return true;
  }
  return false;
}

}  // namespace

Options read_settings(const py::dict& given, const std::shared_ptr<Host>& host) {
  Options options;
  for (const auto& [key, value] : given) {
    const std::string_view name = text_in(key, "the name of a setting");
    if (!read_setting(name, value, options, *host)) refuse("there is no setting named " + shown(key));
  }
  give_callbacks(host, options);
  return options;
}

}  // namespace orlop_python
