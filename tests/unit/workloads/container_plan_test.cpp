#include "workloads/container_plan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const std::filesystem::path folder = ORLOP_TEST_DATA "/tables/workloads";

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Value parsed(const std::string& text) {
  auto value = parse_json(text, 1 << 24);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? std::move(value).value() : Value();
}

// Each member of the plan on a line of its own, so that a difference is seen.
std::string lines_of(const std::string& plan) {
  const Value value = parsed(plan);
  std::string lines = "{\n";
  for (const Member& member : value.members()) {
    append_quoted(lines, member.name.view());
    lines.append(": ").append(to_json(member.value)).append(&member == &value.members().back() ? "\n" : ",\n");
  }
  return lines + "}\n";
}

std::string plan_or_error(const std::string& configuration, std::string_view options = {}) {
  const auto plan = container_plan(configuration, options);
  return plan.ok() ? lines_of(*plan) : plan.error().message + "\n";
}

Value configuration_of(const std::string& name) { return parsed(read_text(folder / (name + ".configuration.json"))); }

// Returns the plan of a container whose members are replaced by those of `changes`.
Value changed_plan(const std::string& name, const std::string& changes, std::string_view options = {}) {
  Value configuration = configuration_of(name);
  const Value replaced = parsed(changes);
  for (const Member& member : replaced.members()) configuration.set(member.name, member.value);
  const auto plan = container_plan(to_json(configuration), options);
  EXPECT_TRUE(plan.ok()) << plan.error().message;
  return plan.ok() ? parsed(*plan) : Value();
}

std::string refusal(const std::string& name, const std::string& changes, std::string_view options = {}) {
  Value configuration = configuration_of(name);
  const Value replaced = parsed(changes);
  for (const Member& member : replaced.members()) configuration.set(member.name, member.value);
  const auto plan = container_plan(to_json(configuration), options);
  return plan.ok() ? "" : plan.error().message;
}

std::string shown(const Value& plan, std::initializer_list<std::string_view> names) {
  const Value* const found = plan.find_path(names);
  return found == nullptr ? "absent" : to_json(*found);
}

// With ORLOP_WRITE_PLANS the files are written instead.
TEST(container_plan, of_every_kind_is_that_of_its_file) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string name = entry.path().filename();
    if (!name.ends_with(".configuration.json")) continue;
    name.resize(name.find('.'));
    const std::string plan = plan_or_error(read_text(entry.path()), R"({"allow_host_access": true})");
    const auto path = folder / (name + ".plan.txt");
    if (std::getenv("ORLOP_WRITE_PLANS") != nullptr) std::ofstream(path) << plan;
    EXPECT_EQ(plan, read_text(path)) << name;
    ++count;
  }
  EXPECT_EQ(count, 13U);
}

TEST(container_plan, is_the_same_for_the_same_configuration) {
  const std::string text = read_text(folder / "container.configuration.json");
  EXPECT_EQ(plan_or_error(text), plan_or_error(text));
}

TEST(container_plan, has_another_hash_if_a_new_container_is_needed) {
  const std::string hash = shown(changed_plan("container", "{}"), {"hash"});
  for (const std::string changes :
       {R"({"tag": "1.4.3"})", R"({"cpu": 501})", R"({"variables": []})", R"({"arguments": []})", R"({"ports": []})",
        R"({"storage": [{"id": "a", "size": 1, "mount_point": "/a"}]})", R"({"labels": []})",
        R"({"variables": [{"key": "F", "value": "x", "mount_path": "/f"}]})"}) {
    EXPECT_NE(shown(changed_plan("container", changes), {"hash"}), hash) << changes;
  }
}

TEST(container_plan, keeps_its_hash_if_the_container_stays_as_it_is) {
  const std::string hash = shown(changed_plan("container", "{}"), {"hash"});
  for (const std::string changes :
       {R"({"revision": 7})", R"({"description": "new"})", R"({"references": {}})", R"({"auto_deploy": true})"}) {
    EXPECT_EQ(shown(changed_plan("container", changes), {"hash"}), hash) << changes;
  }
}

struct Case {
  std::string name;
  std::string changes;
  std::initializer_list<std::string_view> path;
  std::string expected;
};

TEST(container_plan, follows_the_fields) {
  const Case cases[] = {
      {"container", R"({"tag": "latest"})", {"image", "pull"}, R"("newer")"},
      {"container", R"({"tag": "1.0@sha256:0a"})", {"image", "reference"}, R"("docker.io/acme/api:1.0@sha256:0a")"},
      {"container", R"({"image_name": "nginx"})", {"container", "Image"}, R"("docker.io/library/nginx:1.4.2")"},
      {"container",
       R"({"registry": {"url": "https://r.example.com:5000/team/"}})",
       {"image", "reference"},
       R"("r.example.com:5000/team/acme/api:1.4.2")"},
      {"container", R"({"references": {}})", {"image", "credentials"}, "null"},
      {"container", R"({"cpu_architecture": "AMD64"})", {"image", "platform"}, R"("linux/amd64")"},
      {"container", R"({"cpu": 1})", {"container", "HostConfig", "CpuShares"}, "2"},
      {"container", R"({"entrypoint": ""})", {"container", "Entrypoint"}, "absent"},
      {"container", R"({"arguments": []})", {"container", "Cmd"}, "absent"},
      {"container", R"({"min_running_instances": 0})", {"instances"}, R"([{"mounts":[],"volumes":[]}])"},
      {"container", R"({"advanced_settings": {}})", {"container", "StopTimeout"}, "60"},
      {"container",
       R"({"advanced_settings": {"deployment.termination_grace_period_seconds": 0}})",
       {"grace_seconds"},
       "0"},
      {"container",
       R"({"variables": [{"key": "E", "value": "", "is_secret": false, "mount_path": null}]})",
       {"container", "Env"},
       R"(["E="])"},
      {"container",
       R"({"name": "!!"})",
       {"container", "NetworkingConfig", "EndpointsConfig", "platform-0000000b-8066-4ddb-9aa8-004de8fbc5bb", "Aliases"},
       R"(["app-z00000012"])"},
      {"container",
       R"({"ports": [{"internal_port": 80, "protocol": "HTTP"}, {"internal_port": 80, "protocol": "TCP"}],
                        "healthchecks": {}})",
       {"container", "ExposedPorts"},
       R"({"80/tcp":{}})"},
      {"container", R"({"ports": [], "healthchecks": {}})", {"strategy", "kind"}, R"("recreate")"},
      {"container",
       R"({"healthchecks": {"readiness_probe": {"type": {"http": {"path": "/"}}}}})",
       {"probes", "readiness", "port"},
       "8080"},
      {"job_lifecycle", R"({"schedule": {}})", {"job", "runs"}, "false"},
      {"job_lifecycle", R"({"max_duration_seconds": 0})", {"job", "duration_seconds"}, "null"},
      {"database_mysql",
       R"({"master_credentials": {"login": "shop", "password": "x"}})",
       {"container", "Env"},
       R"(["MYSQL_ROOT_PASSWORD=x","MYSQL_USER=shop","MYSQL_PASSWORD=x","MYSQL_DATABASE=shop"])"},
      {"terraform", R"({"engine": "TERRAFORM"})", {"terraform", "program"}, R"("terraform")"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(shown(changed_plan(one.name, one.changes), one.path), one.expected) << one.name << " " << one.changes;
}

TEST(container_plan, follows_the_options) {
  EXPECT_EQ(shown(changed_plan("container", "{}", R"({"brand": "acme"})"), {"label_prefix"}), R"("acme.io/")");
  EXPECT_EQ(
      shown(changed_plan("container", "{}", R"({"cpu_limit": "equal"})"), {"container", "HostConfig", "NanoCpus"}),
      "500000000");
  EXPECT_EQ(shown(changed_plan("job_lifecycle", "{}", R"({"event": "on_delete"})"), {"container", "Cmd"}),
            R"(["down"])");
  EXPECT_EQ(shown(changed_plan("job_lifecycle", "{}", R"({"event": "on_stop"})"), {"job", "runs"}), "false");
  EXPECT_EQ(shown(changed_plan("database_redis", "{}", R"({"images": {"REDIS": "local/r:{version}"}})"),
                  {"container", "Image"}),
            R"("local/r:7")");
  EXPECT_EQ(shown(changed_plan("container", "{}", R"({"ulimits": [{"Name": "nofile", "Soft": 1, "Hard": 2}]})"),
                  {"container", "HostConfig", "Ulimits"}),
            R"([{"Name":"nofile","Soft":1,"Hard":2}])");
}

TEST(container_plan, refuses_with_a_reason) {
  EXPECT_EQ(
      refusal("database_mysql", R"({"mode": "MANAGED"})"),
      "the database \"orders\" must have the mode CONTAINER for a container engine, not \"MANAGED\", which only a "
      "cloud provider offers");
  EXPECT_EQ(refusal("container", R"({"id": "x"})"), "id of the configuration must be a UUID, not \"x\"");
  EXPECT_EQ(refusal("container", R"({"image_name": null})"),
            "the service \"Shop API\" must have an image_name or a git_repository");
  EXPECT_EQ(refusal("container", R"({"ports": [], "healthchecks": {"readiness_probe": {"type": {"tcp": {}}}}})"),
            "healthchecks.readiness_probe.type.tcp.port must be given, because the service has no port");
  EXPECT_EQ(
      refusal("container", R"({"variables": [{"key": "A", "value": "", "mount_path": "/a"},
                                                   {"key": "B", "value": "", "mount_path": "/a/"}]})"),
      "mount_path of the variable \"B\" must be unique within the service, not \"/a\", which another variable has");
  EXPECT_EQ(refusal("container", "{}", R"({"cpu_limit": "half"})"),
            "the option cpu_limit must be none or equal, not \"half\"");
  EXPECT_EQ(refusal("container", "{}", R"({"log_files_max": 0})"), "the option log_files_max must be 1 to 1000, not 0");
  EXPECT_NE(refusal("container", "{}", R"({"brnd": ""})").find("the options have no brnd"), std::string::npos);
  EXPECT_EQ(plan_or_error("[]"), "the configuration must be a JSON object, not []\n");
}

TEST(container_plan, needs_host_access_for_what_reaches_the_machine) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("mounts": [{"type": "TMPFS", "mount_point": "/a"},
                     {"type": "HOST_PATH", "source": "/x", "mount_point": "/b"}])",
       "runtime.mounts[1]"},
      {R"("devices": [{"host_path": "/dev/snd"}])", "runtime.devices"},
      {R"("capabilities_add": ["NET_ADMIN"])", "runtime.capabilities_add"},
      {R"("security_options": ["seccomp=unconfined"])", "runtime.security_options"},
      {R"("build": {"context": "/srv"})", "runtime.build"},
      {R"("privileged": true)", "runtime.privileged"},
      {R"("network_mode": "HOST")", "runtime.network_mode"},
      {R"("pid_mode": "HOST")", "runtime.pid_mode"},
      {R"("ipc_mode": "HOST")", "runtime.ipc_mode"},
  };
  for (const auto& [runtime, member] : cases) {
    const std::string changes = R"({"runtime": {)" + runtime + "}}";
    EXPECT_EQ(refusal("container", changes),
              member + " needs access to this machine, which the option allow_host_access does not give");
    EXPECT_EQ(refusal("container", changes, R"({"allow_host_access": true})"), "") << member;
  }
  EXPECT_EQ(refusal("container", R"({"runtime": {"network_mode": "NONE", "privileged": false, "user": "1"}})"), "");
  EXPECT_EQ(refusal("container", R"({"runtime": {"published_ports": [{"internal_port": 1, "external_port": 80}]}})"),
            "runtime.published_ports[0].external_port must be absent with min_running_instances 2: a port of the "
            "machine belongs to one container");
  EXPECT_EQ(refusal("container", "{}", R"({"allow_host_access": 1})"),
            "the option allow_host_access must be true or false, not 1");
}

TEST(container_plan, shows_no_secret_in_labels_arguments_and_build_arguments) {
  for (const std::string name : {"container", "application", "job_lifecycle", "database_redis", "terraform"}) {
    const Value plan = changed_plan(name, R"({"master_credentials": {"login": "l", "password": "sk_live_4eC39H"}})");
    for (const auto& path : {std::initializer_list<std::string_view>{"container", "Labels"},
                             {"container", "Cmd"},
                             {"container", "Entrypoint"},
                             {"build", "arguments"},
                             {"terraform", "actions"},
                             {"network"}}) {
      EXPECT_EQ(shown(plan, path).find("sk_live_4eC39H"), std::string::npos) << name << shown(plan, path);
    }
  }
}

}  // namespace
}  // namespace orlop
