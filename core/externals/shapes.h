// Schemas of all questions: `question_shapes::<question>_input` and the answers that questions.def names. Operations
// describe their responses with the same shapes.
#pragma once

#include "externals/shapes/billing.h"
#include "externals/shapes/blueprints.h"
#include "externals/shapes/catalogs.h"
#include "externals/shapes/clouds.h"
#include "externals/shapes/connections.h"
#include "externals/shapes/git.h"
#include "externals/shapes/logs.h"
#include "externals/shapes/operators.h"
#include "externals/shapes/platform.h"
#include "externals/shapes/policies.h"
#include "externals/shapes/services.h"
#include "externals/shapes/workloads.h"
