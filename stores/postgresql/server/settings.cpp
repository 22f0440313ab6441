#include "server/settings.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "server/values.h"

namespace orlop::postgresql {
namespace {

constexpr std::size_t schema_size_max = 63;  // maximum length of a PostgreSQL name
constexpr std::uint32_t connections_limit = 10'000;
constexpr std::int64_t timeout_limit = 86'400'000;

// Defaults of libpq parameters: detect a dead network, and bound the time of connecting.
constexpr std::pair<const char*, const char*> defaults[] = {
    {"connect_timeout", "10"},   {"keepalives_idle", "10"},     {"keepalives_interval", "5"},
    {"keepalives_count", "3"},   {"tcp_user_timeout", "30000"}, {"application_name", "orlop"},
    {"client_encoding", "UTF8"},
};

Status invalid(std::string message) { return {ORLOP_ERROR_INVALID, std::move(message)}; }

bool is_uri(std::string_view text) { return text.starts_with("postgresql://") || text.starts_with("postgres://"); }

std::optional<int> digit_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (text.size() - at < 3) return std::nullopt;
    const auto high = digit_of(text[at + 1]);
    const auto low = digit_of(text[at + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high * 16 + *low);
    at += 2;
  }
  return out;
}

// Moves the parameter `schema` from a URI to `schema`: libpq does not know it.
Status take_schema(std::string& uri, std::string& schema) {
  const std::size_t question = uri.find('?');
  if (!is_uri(uri) || question == std::string::npos) return {};
  std::string rest;
  std::string_view left = std::string_view(uri).substr(question + 1);
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('&'), left.size());
    const std::string_view part = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (!part.starts_with("schema=")) {
      rest += (rest.empty() ? "" : "&") + std::string(part);
      continue;
    }
    auto given = decoded(part.substr(7));
    if (!given) return invalid("the parameter schema of the connection string is not percent-encoded correctly");
    if (given->empty())
      return misuse(
          "the parameter schema of the connection string must not be empty; leave it out for the schema orlop");
    if (!schema.empty() && schema != *given)
      return misuse("the schema is given twice: in the connection string and in the options");
    schema = std::move(*given);
  }
  uri.resize(question);
  if (!rest.empty()) uri += "?" + rest;
  return {};
}

// If a password has letters that are not percent-encoded, libpq takes a part of it for a host, a port or a database,
// which messages show. Such a URI is refused first.
Status check_uri(std::string_view uri) {
  if (!is_uri(uri)) return {};
  std::string_view rest = uri.substr(uri.find("://") + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  rest.remove_prefix(authority.size());
  const std::size_t at = authority.find('@');
  std::string_view hosts = authority.substr(at == std::string_view::npos ? 0 : at + 1);
  if (hosts.find('@') != std::string_view::npos || rest.substr(0, rest.find('?')).find('@') != std::string_view::npos) {
    return invalid(
        "the connection string of PostgreSQL cannot be read: user name and password must be percent-encoded, with %40 "
        "for @, %2F for / and %3F for ?");
  }
  while (!hosts.empty()) {
    const std::string_view host = hosts.substr(0, hosts.find(','));
    hosts.remove_prefix(std::min(host.size() + 1, hosts.size()));
    const std::size_t colon = host.rfind(':');
    if (colon == std::string_view::npos || host.find(']', colon) != std::string_view::npos) continue;
    if (host.find_first_not_of("0123456789", colon + 1) != std::string_view::npos) {
      return invalid(
          "the connection string of PostgreSQL cannot be read: its port must be a number; a user name and a password "
          "stand before an @");
    }
  }
  return {};
}

// libpq quotes what it cannot read, which may be the password: only the text before the quotation is shown.
std::string reason_of(const char* message) {
  std::string reason = message == nullptr ? "" : message;
  reason.resize(std::min(reason.find('"'), reason.size()));
  while (!reason.empty() && std::string_view(" :\n(").find(reason.back()) != std::string_view::npos) reason.pop_back();
  return reason;
}

Status read_connection(const std::string& text, Settings& settings) {
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(PQconninfoParse(text.c_str(), &message),
                                                                               PQconninfoFree);
  const std::unique_ptr<char, void (*)(void*)> freed(message, PQfreemem);
  if (!options) return invalid("the connection string of PostgreSQL cannot be read: " + reason_of(message));
  std::string host;
  std::string database;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view name = option->keyword;
    if (name == "host" || (name == "hostaddr" && host.empty())) host = option->val;
    if (name == "dbname") database = option->val;
    settings.names.emplace_back(name);
    settings.values.emplace_back(option->val);
  }
  for (const auto& [name, value] : defaults) {
    if (std::ranges::find(settings.names, name) != settings.names.end()) continue;
    settings.names.emplace_back(name);
    settings.values.emplace_back(value);
  }
  settings.server = "PostgreSQL (host " + (host.empty() ? "local" : host) + ", database " +
                    (database.empty() ? "of the user's name" : database) + ")";
  return {};
}

Status read_text(orlop_text text, const char* name, std::string& out) {
  if (text.data == nullptr && text.size != 0) return misuse(std::string(name) + " has a size and no start");
  if (text.data != nullptr && text.size == 0) return misuse(std::string(name) + " must not be empty");
  out = view_of(text);
  if (out.find('\0') != std::string::npos) return invalid(std::string(name) + " contains a zero byte");
  return {};
}

}  // namespace

std::vector<const char*> list_of(const std::vector<std::string>& texts) {
  std::vector<const char*> list;
  for (const std::string& text : texts) list.push_back(text.c_str());
  list.push_back(nullptr);
  return list;
}

Status read_settings(const orlop_postgresql_options& options, Settings& settings) {
  std::string connection;
  ORLOP_PG_CHECK(read_text(options.connection, "the connection string", connection));
  settings.host_pool = {options.acquire, options.release, options.pool};
  if ((options.acquire == nullptr) != (options.release == nullptr))
    return misuse("acquire and release must be given together");
  if (connection.empty() && !settings.host_pool) return misuse("the connection string must be given");
  if (!connection.empty() && settings.host_pool)
    return misuse("the connection string must be left out where acquire and release are given");
  ORLOP_PG_CHECK(read_text(options.schema, "the schema", settings.schema));
  ORLOP_PG_CHECK(check_uri(connection));
  ORLOP_PG_CHECK(take_schema(connection, settings.schema));
  if (settings.schema.empty()) settings.schema = "orlop";
  if (settings.schema.size() > schema_size_max) {
    return misuse("the schema has " + std::to_string(settings.schema.size()) + " bytes; PostgreSQL allows 63");
  }
  if (options.connections_max > connections_limit) {
    return misuse("connections_max must be 0 to 10000, not " + std::to_string(options.connections_max));
  }
  for (const auto& [name, given] : {std::pair{"lock_timeout_ms", options.lock_timeout_ms},
                                    {"writer_idle_timeout_ms", options.writer_idle_timeout_ms}}) {
    if (given < 0 || given > timeout_limit)
      return misuse(std::string(name) + " must be 0 to 86400000, not " + std::to_string(given));
  }
  // One connection is reserved for the writer.
  if (options.connections_max != 0) settings.connections_max = std::max<std::size_t>(options.connections_max, 2);
  if (options.lock_timeout_ms != 0) settings.lock_timeout = std::chrono::milliseconds(options.lock_timeout_ms);
  // Less than the time after which waiting writers give up.
  settings.writer_idle_timeout =
      options.writer_idle_timeout_ms != 0
          ? std::chrono::milliseconds(options.writer_idle_timeout_ms)
          : std::min<std::chrono::milliseconds>(settings.writer_idle_timeout, settings.lock_timeout * 2 / 3);
  settings.prefix = "\"";
  for (const char letter : settings.schema)
    settings.prefix += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  settings.prefix += "\".";
  if (!settings.host_pool) return read_connection(connection, settings);
  settings.server = "PostgreSQL (connections of the host)";
  return {};
}

}  // namespace orlop::postgresql
