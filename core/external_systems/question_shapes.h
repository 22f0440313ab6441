// Schemas of all questions: `question_shapes::<question>_input` and the answers that questions.def names. Operations
// describe their responses with the same shapes.
#pragma once

#include "external_systems/shapes/billing_questions.h"
#include "external_systems/shapes/blueprints_questions.h"
#include "external_systems/shapes/catalogs_questions.h"
#include "external_systems/shapes/clouds_questions.h"
#include "external_systems/shapes/connections_questions.h"
#include "external_systems/shapes/git_questions.h"
#include "external_systems/shapes/logs_questions.h"
#include "external_systems/shapes/operators_questions.h"
#include "external_systems/shapes/platform_questions.h"
#include "external_systems/shapes/policies_questions.h"
#include "external_systems/shapes/services_questions.h"
#include "external_systems/shapes/workloads_questions.h"
