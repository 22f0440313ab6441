// Fields that services share.
#pragma once

#include "catalogs/address_shape.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"

namespace orlop::shapes {

// Maximum requests of one instance of a service on a cluster.
inline constexpr int cpu_max = 128'000;     // millicores
inline constexpr int memory_max = 524'288;  // MB
inline constexpr int gpu_max = 16;
// With this bound, billing's sums in milliseconds over a month stay below 2^63 for 34,000 services.
inline constexpr int instances_max = 100'000;

inline constexpr Field service_description = text("description", "Free text that describes the service.");
inline constexpr Field service_cpu =
    integer("cpu", "CPU request of each instance in millicores (1000 is one core), 1 to 128000.")
        .at_least(1)
        .at_most(cpu_max);
inline constexpr Field service_memory =
    integer("memory", "Memory request of each instance in MB, 1 to 524288.").at_least(1).at_most(memory_max);
inline constexpr Field service_gpu =
    integer("gpu", "Number of GPUs of each instance, 0 to 16. Default: 0.").at_least(0).at_most(gpu_max).defaults_to(0);
inline constexpr Field service_ephemeral_storage =
    integer("ephemeral_storage_in_gib",
            "Ephemeral storage of each instance in GiB, at least 0. Its content is lost when the instance stops. "
            "Absent: set by the "
            "cluster.")
        .at_least(0);
inline constexpr Field service_cpu_architecture =
    enumeration("cpu_architecture", cpu_architectures,
                "CPU architecture of the nodes that run the service. Null: the default architecture of the cluster.")
        .nullable();
inline constexpr Field service_min_instances =
    integer("min_running_instances",
            "Minimum number of instances (replicas), 0 to `max_running_instances`, at most 100000. Default: 1.")
        .at_least(0)
        .at_most(instances_max)
        .defaults_to(1);
inline constexpr Field service_max_instances =
    integer("max_running_instances",
            "Maximum number of instances (replicas), `min_running_instances` to 100000. Default: 1.")
        .at_least(0)
        .at_most(instances_max)
        .defaults_to(1);
inline constexpr Field service_auto_deploy =
    boolean("auto_deploy",
            "Deploy automatically when a new commit or image version is available. Null or absent: false.")
        .nullable()
        .absent_is_null();
inline constexpr Field service_arguments =
    list_of("arguments", FieldKind::text,
            "Arguments of the container's process, replacing the CMD of the image. Default: empty, the CMD of the "
            "image.")
        .at_most(1000)
        .defaults_to_empty();
inline constexpr Field service_entrypoint =
    text("entrypoint",
         "Entrypoint of the container, replacing the ENTRYPOINT of the image. Absent: the ENTRYPOINT of the image.");
inline constexpr Field service_icon =
    uri("icon_uri", "URL of the icon of the service. Absent or empty: the icon of its kind.")
        .empty_is_absent()
        .always_present();
inline constexpr Field service_environment = parent_object("environment", "Environment that contains the service.");
inline constexpr Field service_type =
    enumeration("service_type", service_kinds, "Kind of the service, the same for all services of this family.")
        .read_only()
        .always_present();
inline constexpr Field service_maximum_cpu =
    integer("maximum_cpu", "Highest value that `cpu` accepts, in millicores.").read_only().always_present();
inline constexpr Field service_maximum_memory =
    integer("maximum_memory", "Highest value that `memory` accepts, in MB.").read_only().always_present();
inline constexpr Field service_maximum_gpu =
    integer("maximum_gpu", "Highest value that `gpu` accepts.").read_only().always_present();

inline constexpr Field service_addresses = Field(addresses_field).read_only();

// Sets the kind and the icon of a service ("app://…/<icon>" if none is given).
void complete_service(Value& record, std::string_view kind, std::string_view icon, ValidationContext& context);
// Sets maximum_cpu, maximum_memory and, under the given name, the maximum of GPUs.
void complete_limits(Value& record, std::string_view gpu_name);
// Sets members that are absent or null to false.
void complete_flags(Value& record, Names flags);

}  // namespace orlop::shapes
