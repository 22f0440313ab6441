// Questions about cloud providers and the versions of their products.
#pragma once

#include <string_view>

#include "external_systems/shapes/services_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Shape no_input = {};
inline constexpr std::string_view clouds[] = {"AWS", "AZURE", "GCP", "SCW"};
inline constexpr Field cloud_input_fields[] = {
    enumeration("cloud_provider", clouds, "Cloud provider that is asked about.").required(),
    text("region", "Region or zone that the answer must be limited to. Empty: any."),
};
inline constexpr Shape cloud_input = {.fields = cloud_input_fields};

inline constexpr Field region_fields[] = {
    text("name", "Name of the region, such as `eu-west-3`.").required(),
    text("country_code", "Code of the country by ISO 3166-1, such as `FR`.").required(),
    text("country", "Name of the country.").required(),
    text("city", "City or area of the data centers.").required(),
    boolean("arm_supported", "True if instance types with ARM64 processors are offered."),
    list_of("zones", FieldKind::text, "Names of the zones that clusters can be put into."),
};
inline constexpr Shape region = {.name = "ClusterRegion", .fields = region_fields};
inline constexpr Field regions = list_of("answer", region, "Regions of the cloud provider.");

inline constexpr Field gpu_fields[] = {
    integer("count", "Number of GPUs."),
    text("name", "Name of the GPU."),
    text("manufacturer", "Manufacturer of the GPU."),
    text("memory_in_mib", "Memory of all GPUs in MiB."),
};
inline constexpr Shape gpu = {.name = "ClusterInstanceGpuInfo", .fields = gpu_fields};
inline constexpr Field instance_attribute_fields[] = {
    text("instance_category", "Category, such as `t`."),
    integer("instance_generation", "Generation, such as `3`."),
    text("instance_family", "Family, such as `t3a`."),
    text("instance_size", "Size, such as `medium`."),
    boolean("meets_resource_reqs", "True if a node of this type can run the platform's own workloads."),
};
inline constexpr Shape instance_attributes = {.name = "ClusterInstanceAttributes", .fields = instance_attribute_fields};
inline constexpr Field instance_type_fields[] = {
    text("type", "Name of the instance type, such as `t3a.medium`.").required(),
    text("name", "Display name of the instance type.").required(),
    integer("cpu", "Number of virtual processors.").required(),
    integer("ram_in_gb", "Memory in GiB.").required(),
    text("bandwidth_in_gbps", "Network bandwidth in Gbit/s.").required(),
    text("bandwidth_guarantee", "Guarantee of the bandwidth, such as `up_to` for a shared one.").required(),
    text("architecture", "Processor architecture: `AMD64` or `ARM64`."),
    object("gpu_info", gpu, "GPUs of the instance type. Absent: none."),
    object("attributes", instance_attributes, "Parts of the name of the instance type."),
};
inline constexpr Shape instance_type = {.name = "ClusterInstanceTypeResponse", .fields = instance_type_fields};
inline constexpr Field instance_types = list_of("answer", instance_type, "Instance types of the cloud provider.");

inline constexpr Field database_type_fields[] = {text("name", "Database engine, such as `POSTGRESQL`.").required()};
inline constexpr Shape database_type = {.name = "ManagedDatabaseTypeResponse", .fields = database_type_fields};
inline constexpr Field database_types = list_of("answer", database_type, "Database engines of the managed service.");

inline constexpr std::string_view database_engines[] = {"MONGODB", "MYSQL", "POSTGRESQL", "REDIS"};
inline constexpr std::string_view database_modes[] = {"CONTAINER", "MANAGED"};
inline constexpr Field database_input_fields[] = {
    service_organization,
    uuid("cluster_id", "ID of the cluster that the databases run on.").nullable(),
    enumeration("engine", database_engines, "Database engine that is asked about.").required(),
    enumeration("mode", database_modes,
                "`CONTAINER`: a workload on the cluster. `MANAGED`: a managed service of the cloud provider.")
        .required(),
};
inline constexpr Shape database_input = {.fields = database_input_fields};
inline constexpr Field database_versions =
    list_of("answer", FieldKind::text, "Versions, such as `16`, in ascending order.");

inline constexpr std::string_view terraform_engines[] = {"TERRAFORM", "OPEN_TOFU"};
inline constexpr Field terraform_version_fields[] = {
    enumeration("engine", terraform_engines, "Engine that the version belongs to.").required(),
    text("version", "Version, such as `1.9.8`.").required(),
};
inline constexpr Shape terraform_version = {.name = "TerraformVersionResponse", .fields = terraform_version_fields};
inline constexpr Field terraform_versions = list_of("answer", terraform_version, "Versions of both engines.");

}  // namespace orlop::question_shapes
