// Older operations on variables, with the owner in the path and separate paths for secrets. They are the same for every
// family that has variables.
#pragma once

#include "endpoints/operation_set.h"
#include "endpoints/variables/parts/variable_shapes.h"

namespace orlop {
namespace older_variables {

Result<Answer> list(Unit& unit, const Call& call);
Result<Answer> create(Unit& unit, const Call& call);
Result<Answer> edit(Unit& unit, const Call& call);
Result<Answer> remove(Unit& unit, const Call& call);
Result<Answer> alias(Unit& unit, const Call& call);
Result<Answer> override_(Unit& unit, const Call& call);

Result<Answer> list_secrets(Unit& unit, const Call& call);
Result<Answer> create_secret(Unit& unit, const Call& call);
Result<Answer> edit_secret(Unit& unit, const Call& call);
Result<Answer> remove_secret(Unit& unit, const Call& call);
Result<Answer> alias_secret(Unit& unit, const Call& call);
Result<Answer> override_secret(Unit& unit, const Call& call);

Result<Answer> import(Unit& unit, const Call& call);

inline constexpr Operation operations[] = {
    {.path = "{flat}/environmentVariable",
     .name = "list_{family}_environment_variables",
     .handle = list,
     .form = AnswerForm::shape_list,
     .answer = &variable_shapes::environment_variable_answer,
     .summary = "List the variables of {one} that are not secret",
     .about = "Returns inherited variables and built-in ones too, the widest scope first."},
    {.method = Method::post,
     .path = "{flat}/environmentVariable",
     .name = "create_{family}_environment_variable",
     .status = 201,
     .access = Access::write,
     .handle = create,
     .body = &variable_shapes::environment_variable,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::environment_variable_answer,
     .summary = "Create a variable of {one}",
     .about = "409: the key is taken in this scope."},
    {.method = Method::put,
     .path = "{flat}/environmentVariable/{environmentVariableId}",
     .name = "edit_{family}_environment_variable",
     .access = Access::write,
     .handle = edit,
     .body = &variable_shapes::environment_variable_edit,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::environment_variable_answer,
     .summary = "Edit a variable of {one}",
     .about = "Services that see the variable become `OUT_OF_DATE`. Overrides follow a new key. A built-in variable is "
              "refused with 403."},
    {.method = Method::remove,
     .path = "{flat}/environmentVariable/{environmentVariableId}",
     .name = "delete_{family}_environment_variable",
     .status = 204,
     .access = Access::write,
     .handle = remove,
     .summary = "Delete a variable of {one}",
     .about = "Deletes its aliases and overrides too."},
    {.method = Method::post,
     .path = "{flat}/environmentVariable/{environmentVariableId}/alias",
     .name = "create_{family}_environment_variable_alias",
     .status = 201,
     .access = Access::write,
     .handle = alias,
     .body = &variable_shapes::key_only,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::environment_variable_answer,
     .summary = "Create an alias of a variable in {one}",
     .about = "The variable may lie in a wider scope.",
     .need = Level::view},
    {.method = Method::post,
     .path = "{flat}/environmentVariable/{environmentVariableId}/override",
     .name = "create_{family}_environment_variable_override",
     .status = 201,
     .access = Access::write,
     .handle = override_,
     .body = &variable_shapes::value_only,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::environment_variable_answer,
     .summary = "Create an override of a variable of a wider scope in {one}",
     .about = "The override has the key of the variable. 400: the variable does not lie in a wider scope. 409: the key "
              "is taken in this scope.",
     .need = Level::view},
    {.path = "{flat}/secret",
     .name = "list_{family}_secrets",
     .handle = list_secrets,
     .form = AnswerForm::shape_list,
     .answer = &variable_shapes::secret_answer,
     .summary = "List the secrets of {one}",
     .about = "Returns inherited secrets and built-in ones too, the widest scope first. Values are never returned."},
    {.method = Method::post,
     .path = "{flat}/secret",
     .name = "create_{family}_secret",
     .status = 201,
     .access = Access::write,
     .handle = create_secret,
     .body = &variable_shapes::secret,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::secret_answer,
     .summary = "Create a secret of {one}",
     .about = "409: the key is taken in this scope."},
    {.method = Method::put,
     .path = "{flat}/secret/{secretId}",
     .name = "edit_{family}_secret",
     .access = Access::write,
     .handle = edit_secret,
     .body = &variable_shapes::secret_edit,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::secret_answer,
     .summary = "Edit a secret of {one}",
     .about = "An absent value keeps the stored one. Services that see the secret become `OUT_OF_DATE`. A built-in "
              "secret is refused with 403."},
    {.method = Method::remove,
     .path = "{flat}/secret/{secretId}",
     .name = "delete_{family}_secret",
     .status = 204,
     .access = Access::write,
     .handle = remove_secret,
     .summary = "Delete a secret of {one}",
     .about = "Deletes its aliases and overrides too."},
    {.method = Method::post,
     .path = "{flat}/secret/{secretId}/alias",
     .name = "create_{family}_secret_alias",
     .status = 201,
     .access = Access::write,
     .handle = alias_secret,
     .body = &variable_shapes::key_only,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::secret_answer,
     .summary = "Create an alias of a secret in {one}",
     .about = "The secret may lie in a wider scope.",
     .need = Level::view},
    {.method = Method::post,
     .path = "{flat}/secret/{secretId}/override",
     .name = "create_{family}_secret_override",
     .status = 201,
     .access = Access::write,
     .handle = override_secret,
     .body = &variable_shapes::value_only,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::secret_answer,
     .summary = "Create an override of a secret of a wider scope in {one}",
     .about = "The override has the key of the secret. 400: the secret does not lie in a wider scope. 409: the key is "
              "taken in this scope.",
     .need = Level::view},
};

inline constexpr Operation import_operations[] = {
    {.method = Method::post,
     .path = "{flat}/environmentVariable/import",
     .name = "import_{family}_environment_variables",
     .status = 201,
     .access = Access::write,
     .handle = import,
     .body = &variable_shapes::import,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::import_result,
     .summary = "Import variables for {one}",
     .about = "If one key or value breaks a rule, or if references lead in a cycle, no variable is imported. A "
              "variable whose key is taken is left "
              "out unless `overwrite` is true."},
};

}  // namespace older_variables
}  // namespace orlop
