// Fields that the services share, written once.
#pragma once

#include "families/shapes/rules.h"
#include "families/shapes/enumerations.h"

namespace orlop::shapes {

// The most that a cluster lets one instance of a service ask for.
inline constexpr int cpu_max = 128'000;     // millicores
inline constexpr int memory_max = 524'288;  // MB
inline constexpr int gpu_max = 16;

inline constexpr Field service_description = text("description", "What it is for.");
inline constexpr Field service_cpu =
    integer("cpu", "Processor time in millicores (1000 is one core), 1 to 128000.").at_least(1).at_most(cpu_max);
inline constexpr Field service_memory = integer("memory", "Memory in MB, 1 to 524288.").at_least(1).at_most(memory_max);
inline constexpr Field service_gpu =
    integer("gpu", "How many graphics processors, 0 to 16.").at_least(0).at_most(gpu_max).defaults_to(0);
inline constexpr Field service_ephemeral_storage =
    integer("ephemeral_storage_in_gib", "Disk in GiB that is lost with the instance, at least 0.").at_least(0);
inline constexpr Field service_cpu_architecture =
    enumeration("cpu_architecture", cpu_architectures, "The processors it needs; null for any.").nullable();
inline constexpr Field service_min_instances =
    integer("min_running_instances", "How many instances run at least, at least 0 and at most max_running_instances.")
        .at_least(0)
        .defaults_to(1);
inline constexpr Field service_max_instances =
    integer("max_running_instances", "How many instances run at most, at least 0.").at_least(0).defaults_to(1);
inline constexpr Field service_auto_deploy =
    boolean("auto_deploy", "Whether a new version of what it is made of deploys it.").nullable();
inline constexpr Field service_arguments =
    list_of("arguments", FieldKind::text, "The arguments that its program is started with.").at_most(1000).defaults_to_empty();
inline constexpr Field service_entrypoint = text("entrypoint", "The program that is started, instead of the image's own.");
inline constexpr Field service_icon = uri("icon_uri", "The address of its icon; that of its kind if absent.").empty_is_absent().always_present();
inline constexpr Field service_environment = parent_object("environment", "The environment it runs in.");
inline constexpr Field service_type = enumeration("service_type", service_kinds, "The kind of service it is.").read_only().always_present();
inline constexpr Field service_maximum_cpu = integer("maximum_cpu", "The most millicores that its cluster allows.").read_only().always_present();
inline constexpr Field service_maximum_memory =
    integer("maximum_memory", "The most memory in MB that its cluster allows.").read_only().always_present();
inline constexpr Field service_maximum_gpu =
    integer("maximum_gpu", "The most graphics processors that its cluster allows.").read_only().always_present();

// What every service's answer holds: its kind and an icon ("app://…/<icon>" unless one was given).
void complete_service(Value& record, std::string_view kind, std::string_view icon, ValidationContext& context);
// maximum_cpu, maximum_memory and, under the given name, the graphics processors.
void complete_limits(Value& record, std::string_view gpu_name);
// Members that may be given as null and are answered as false.
void complete_flags(Value& record, Names flags);

}  // namespace orlop::shapes
