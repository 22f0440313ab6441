// A server of the Model Context Protocol whose tools agents of an organization use.
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::mcp_server {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Name of the server, unique within the organization without regard to case.").required().unique_name(),
    text("description", "Free text that describes the server. Default: empty.").defaults_to(""),
    uri("url", "URL of the server, which begins with `https://` and holds no password.").required(),
    open_object("headers",
                "HTTP headers that are sent to the server, by name, at most 64. Never returned; an edit that omits "
                "them keeps the stored headers.")
        .secret(),
    list_of("header_names", FieldKind::text, "Names of the headers.").read_only().always_present().unique_items(),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  constexpr std::size_t headers_max = 64;
  const std::string_view url = record.text_or("url", "");
  if (check_no_password(url, "url", "a header", violations) && !url.starts_with("https://")) {
    refuse(violations, "url", "must begin with https://, not " + quoted(url));
  }
  const Value* headers = record.find("headers");
  if (headers == nullptr || !headers->is_object()) return;
  if (headers->members().size() > headers_max)
    refuse(violations, "headers", "must have at most 64 members, not " + std::to_string(headers->members().size()));
  for (const Member& header : headers->members()) {
    if (!header.value.is_text()) refuse(violations, member_path("headers", header.name), "must be a text");
  }
}

void complete(Value& record, ValidationContext&) {
  Value names = Value::list();
  const Value* headers = record.find("headers");
  if (headers != nullptr) {
    for (const Member& header : headers->members()) names.append(Value(header.name.view()));
  }
  record.set("header_names", std::move(names));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 74,
    .name = "mcp_server",
    .schema = "McpServer",
    .segment = "mcpServer",
    .id_name = "mcpServerId",
    .about = "An MCP server is a server of the Model Context Protocol whose tools agents of the organization use.",
    .parent = "organization",
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::read | Verb::edit,
    .name_scope = NameScope::organization,
    .sample = R"({"name": "search", "url": "https://mcp.example.com", "headers": {"Authorization": "Bearer secret"}})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::mcp_server
