// Shapes of the operations on variables.
#pragma once

#include <string_view>

#include "model/field.h"
#include "records/variables/write_variables.h"
#include "resolution/variable_enumerations.h"

namespace orlop::variable_shapes {

inline constexpr std::string_view owner_scopes[] = {
    "AGENTIC_WORKFLOW", "APPLICATION", "CONTAINER", "ENVIRONMENT", "HELM", "JOB", "PROJECT", "TERRAFORM"};
inline constexpr std::string_view service_scopes[] = {"AGENTIC_WORKFLOW", "APPLICATION", "CONTAINER", "HELM", "JOB",
                                                      "TERRAFORM"};

inline constexpr Field key = text("key",
                                  "Name of the environment variable, 1 to 255 bytes without blanks, `=` and braces. "
                                  "Case-sensitive and unique within its scope.")
                                 .at_most(static_cast<std::int64_t>(name_size_max));
inline constexpr Field value = text("value",
                                    "Value of the variable, at most 65536 bytes. `{{KEY}}` in it is replaced by the "
                                    "value of that variable when a service is "
                                    "deployed.");
inline constexpr Field kept_value = text("value",
                                         "Value of the variable, at most 65536 bytes. Null or absent: the stored value "
                                         "is kept. An alias has none; the key that "
                                         "its answer holds is accepted.")
                                        .nullable();
inline constexpr Field mount_path =
    text("mount_path",
         "Absolute path at which the value is mounted as a file, as in `/etc/app.conf`. Null or absent: an environment "
         "variable.")
        .at_most(static_cast<std::int64_t>(mount_path_max))
        .nullable();
inline constexpr Field kept_mount_path =
    text("mount_path", "Absolute path at which a file is mounted. Null or absent: the stored path is kept.")
        .at_most(static_cast<std::int64_t>(mount_path_max))
        .nullable();
inline constexpr Field description =
    text("description", "Free text that describes the variable, at most 255 bytes. Null or absent: none.")
        .at_most(variable_description_max)
        .nullable();
inline constexpr Field interpolation =
    boolean("enable_interpolation_in_file",
            "Replace `{{KEY}}` in the content of a file by the value of that variable. Null or absent: false.")
        .nullable();
inline constexpr Field manager = uuid("secret_manager_access_id",
                                      "ID of the secret manager access that reads the secret; `value` is then the name "
                                      "of the secret in the secret manager. Null or "
                                      "absent: the value is stored in the engine.")
                                     .nullable();
inline constexpr Field is_secret =
    boolean("is_secret", "Encrypt the value at rest and never return it. Cannot be changed later.");

inline constexpr Field create_fields[] = {
    key.required(),
    value.required(),
    mount_path,
    is_secret.required(),
    enumeration("variable_scope", owner_scopes, "Level at which the variable is set.").required(),
    uuid("variable_parent_id", "ID of the project, environment or service on which the variable is set.").required(),
    description,
    interpolation,
    manager,
};
inline constexpr Shape create = {.name = "VariableRequest", .fields = create_fields};

inline constexpr Field edit_fields[] = {key.required(), kept_value, description, interpolation, manager};
inline constexpr Shape edit = {.name = "VariableEditRequest", .fields = edit_fields};

inline constexpr Field alias_fields[] = {
    key.required(),
    enumeration("alias_scope", owner_scopes, "Level at which the alias is set: that of the variable, or a nearer one.")
        .required(),
    uuid("alias_parent_id", "ID of the project, environment or service on which the alias is set.").required(),
    description,
    interpolation,
};
inline constexpr Shape alias = {.name = "VariableAliasRequest", .fields = alias_fields};

inline constexpr Field override_fields[] = {
    value.required(),
    enumeration("override_scope", owner_scopes,
                "Level at which the override is set: a nearer one than that of the variable.")
        .required(),
    uuid("override_parent_id", "ID of the project, environment or service on which the override is set.").required(),
    description,
    interpolation,
};
inline constexpr Shape override_ = {.name = "VariableOverrideRequest", .fields = override_fields};

// Older operations: the path names the owner.
inline constexpr Field older_create_fields[] = {key.required(), value, mount_path, description, interpolation};
inline constexpr Shape environment_variable = {.name = "EnvironmentVariableRequest", .fields = older_create_fields};
inline constexpr Field secret_create_fields[] = {key.required(), value.input_only(), mount_path, description,
                                                 interpolation};
inline constexpr Shape secret = {.name = "SecretRequest", .fields = secret_create_fields};

inline constexpr Field older_edit_fields[] = {key.required(), kept_value, kept_mount_path, description, interpolation};
inline constexpr Shape environment_variable_edit = {.name = "EnvironmentVariableEditRequest",
                                                    .fields = older_edit_fields};
inline constexpr Field secret_edit_fields[] = {key.required(), kept_value.input_only(), description, interpolation};
inline constexpr Shape secret_edit = {.name = "SecretEditRequest", .fields = secret_edit_fields};

inline constexpr Field key_fields[] = {key.required(), description, interpolation};
inline constexpr Shape key_only = {.name = "Key", .fields = key_fields};
inline constexpr Field value_fields[] = {value, description, interpolation};
inline constexpr Shape value_only = {.name = "Value", .fields = value_fields};

// Answers of the older operations.
inline constexpr Field named_fields[] = {
    uuid("id", "ID of that variable.").required(),
    text("key", "Key of that variable.").required(),
    text("value", "Value of that variable.").required(),
    text("mount_path", "Path at which that variable is mounted. Empty: it is not mounted.").required(),
    enumeration("scope", variable_scopes, "Scope of that variable.").required(),
    enumeration("variable_type", variable_types, "Type of that variable.").required(),
};
inline constexpr Shape aliased_variable = {.name = "EnvironmentVariableAlias", .fields = named_fields};
inline constexpr Shape overridden_variable = {.name = "EnvironmentVariableOverride", .fields = named_fields};
inline constexpr Field named_secret_fields[] = {
    uuid("id", "ID of that secret.").required(),
    text("key", "Key of that secret.").required(),
    text("mount_path", "Path at which that secret is mounted. Empty: it is not mounted.").required(),
    enumeration("scope", variable_scopes, "Scope of that secret.").required(),
    enumeration("variable_type", variable_types, "Type of that secret.").required(),
    text("description", "Free text that describes that secret. Empty: none."),
    boolean("enable_interpolation_in_file",
            "True if `{{KEY}}` in the content of a file is replaced by the value of that variable."),
};
inline constexpr Shape aliased_secret = {.name = "SecretAlias", .fields = named_secret_fields};
inline constexpr Shape overridden_secret = {.name = "SecretOverride", .fields = named_secret_fields};

inline constexpr Field answered_id = uuid("id", "ID of the variable, assigned by the engine.").required();
inline constexpr Field answered_creation = date_time("created_at", "Time of creation, in UTC.").required();
inline constexpr Field answered_change = date_time("updated_at", "Time of the last change, in UTC.");
inline constexpr Field answered_key = text("key", "Name of the environment variable.").required();
inline constexpr Field answered_description =
    text("description", "Free text that describes the variable. Empty: none.").required();
inline constexpr Field answered_interpolation =
    boolean("enable_interpolation_in_file",
            "True if `{{KEY}}` in the content of a file is replaced by the value of that variable.");
inline constexpr Field answered_scope =
    enumeration("scope", variable_scopes, "Level at which the variable is set.").required();
inline constexpr Field answered_type = enumeration("variable_type", variable_types, "Type of the variable.").required();
inline constexpr Field answered_service =
    uuid("service_id", "ID of the service that owns the variable. Absent: no service owns it.");
inline constexpr Field answered_service_name = text("service_name", "Name of that service.");
inline constexpr Field answered_service_type =
    enumeration("service_type", variable_service_kinds, "Kind of that service.");

inline constexpr Field environment_variable_fields[] = {
    answered_id,
    answered_creation,
    answered_change,
    answered_key,
    text("value", "Value of the variable; of an alias the key of the variable that it names."),
    text("mount_path", "Absolute path at which the value is mounted as a file. Null: the variable is not a file.")
        .nullable(),
    answered_description,
    answered_interpolation,
    answered_scope,
    answered_type,
    uuid("secret_manager_access_id",
         "ID of the secret manager access that reads the secret. Absent: the variable is not an external secret."),
    object("aliased_variable", aliased_variable,
           "Variable that the alias names. Absent: the variable is not an alias."),
    object("overridden_variable", overridden_variable,
           "Variable that is overridden. Absent: the variable is not an override."),
    answered_service,
    answered_service_name,
    answered_service_type,
};
inline constexpr Shape environment_variable_answer = {.name = "EnvironmentVariable",
                                                      .fields = environment_variable_fields};

inline constexpr Field secret_fields[] = {
    answered_id,
    answered_creation,
    answered_change,
    answered_key,
    answered_description,
    answered_interpolation,
    answered_scope,
    answered_type,
    object("aliased_secret", aliased_secret, "Secret that the alias names. Absent: the secret is not an alias."),
    object("overridden_secret", overridden_secret, "Secret that is overridden. Absent: the secret is not an override."),
    answered_service,
    answered_service_name,
    answered_service_type,
};
inline constexpr Shape secret_answer = {.name = "Secret", .fields = secret_fields};

inline constexpr std::int64_t imported_max = 10'000;
inline constexpr Field imported_fields[] = {
    text("name", "Key of the variable.").at_most(static_cast<std::int64_t>(name_size_max)).required(),
    value.required(),
    enumeration("scope", owner_scopes,
                "Level at which the variable is set: the service, its environment or its project.")
        .required(),
    is_secret.required(),
};
inline constexpr Shape imported = {.name = "VariableImportRequestVars", .fields = imported_fields};
inline constexpr Field import_fields[] = {
    boolean("overwrite",
            "Replace the value of variables that exist. False: they are left as they are and not counted as imported.")
        .required(),
    list_of("vars", imported, "Variables to import, at most 10000.").required().at_most(imported_max),
};
inline constexpr Shape import = {.name = "VariableImportRequest", .fields = import_fields};

inline constexpr Field import_result_item_fields[] = {
    text("name", "Key of the variable.").required(),
    text("value", "Value of the variable. Absent: it is a secret."),
    enumeration("scope", variable_scopes, "Level at which the variable is set.").required(),
    boolean("is_secret", "True if the value is never returned.").required(),
};
inline constexpr Shape import_result_item = {.name = "VariableImportSuccessfulImportedVariables",
                                             .fields = import_result_item_fields};
inline constexpr Field import_result_fields[] = {
    integer("total_variables_to_import", "Number of variables in the request.").required(),
    list_of("successful_imported_variables", import_result_item, "Variables that were created or replaced.").required(),
};
inline constexpr Shape import_result = {.name = "VariableImport", .fields = import_result_fields};

}  // namespace orlop::variable_shapes
