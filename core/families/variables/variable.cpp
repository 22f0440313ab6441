// A variable of a project, an environment or a service. Its records have a separate text format;
// records/variables/write_variables.h writes them.
#include "base/family_number.h"
#include "model/family.h"
#include "resolution/variable_enumerations.h"

namespace orlop::families::variable {
namespace {

constexpr Field named_fields[] = {
    reference("id", "variable", "ID of that variable.").required().on_delete(OnDelete::cascade),
    text("key", "Key of that variable.").required(),
    text("value", "Value of that variable. Null: it is a secret.").nullable(),
    text("mount_path", "Path at which that variable is mounted. Empty: it is not mounted.").required(),
    enumeration("scope", variable_scopes, "Scope of that variable.").required(),
    enumeration("variable_type", variable_types, "Type of that variable.").required(),
};
constexpr Shape aliased{.name = "VariableAlias", .fields = named_fields};
constexpr Shape overridden{.name = "VariableOverride", .fields = named_fields};

constexpr Field fields[] = {
    text("key", "Name of the environment variable, as in `DATABASE_URL`. Case-sensitive and unique within its scope.")
        .read_only()
        .always_present(),
    text("value",
         "Value of the variable; of an alias the key of the variable that it names. Null: the variable is a "
         "secret.")
        .nullable()
        .read_only()
        .always_present(),
    text("mount_path", "Absolute path at which the value is mounted as a file. Null: the variable is not a file.")
        .nullable()
        .read_only()
        .always_present(),
    text("description", "Free text that describes the variable. Empty: none.").read_only().always_present(),
    boolean("enable_interpolation_in_file",
            "Replace `{{KEY}}` in the content of a file by the value of that variable. Without effect on variables "
            "that are not "
            "files.")
        .read_only()
        .always_present(),
    uuid("secret_manager_access_id",
         "ID of the secret manager access of the cluster that reads the secret. Absent: the variable is no external "
         "secret.")
        .read_only(),
    enumeration("scope", variable_scopes,
                "Level at which the variable is set: `PROJECT`, `ENVIRONMENT` or a kind of service. The nearest scope "
                "wins. `BUILT_IN`: set "
                "by the engine.")
        .read_only()
        .always_present(),
    boolean("is_secret", "True if the value is encrypted at rest and never returned.").read_only().always_present(),
    enumeration("variable_type", variable_types,
                "Type of the variable. `ALIAS`: another key for a variable. `OVERRIDE`: another value for a variable "
                "of a wider scope. "
                "`FILE`: mounted at `mount_path`.")
        .read_only()
        .always_present(),
    object("aliased_variable", aliased, "Variable that the alias names. Absent: the variable is not an alias.")
        .read_only(),
    object("overridden_variable", overridden, "Variable that is overridden. Absent: the variable is not an override.")
        .read_only(),
    uuid("service_id", "ID of the service that owns the variable. Absent: no service owns it.").read_only(),
    text("service_name", "Name of that service.").read_only(),
    enumeration("service_type", variable_service_kinds, "Kind of that service.").read_only(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = variable_number,
    .name = "variable",
    .schema = "Variable",
    .segment = "variable",
    .id_name = "variableId",
    .about =
        "A variable is a key and a value that a service is given as an environment variable or as a file. It is set on "
        "a project, an "
        "environment or a service, and inherited by everything below.",
    .parents = {"project", "environment", "application", "container", "job", "helm", "terraform", "agentic_workflow"},
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_cloned = false,  // copied together with the records that they refer to (records/variables/copy_variables.h)
};

}  // namespace orlop::families::variable
