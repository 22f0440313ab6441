// Which methods the Python class of a family has: the bases that it is given. They follow from the routes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

// Whether an operation, a plain one or one of a set, answers the request of the verb at the paths of the family's own:
// POST and GET at its collection; GET, PUT and DELETE at one resource, by id.
bool serves(const Family& family, Verb verb);
// Whether one request creates a resource for each of many names.
bool serves_many(const Family& family);

// The classes of python/orlop/resources/actions.py that have the operations of the family's sets.
std::vector<std::string> actions_of(const Family& family);
// The classes of python/orlop/resources/resource.py that have the verbs of one resource.
std::vector<std::string> item_verbs_of(const Family& family);
// Those that have the verbs of a collection; "Collection" if it has none but to get a resource by its id.
std::vector<std::string> collection_verbs_of(const Family& family);
// All bases of the class of one resource: actions, then verbs; "Resource" if there are none.
std::vector<std::string> bases_of(const Family& family);
// The base of a family of settings.
std::string_view settings_class_of(const Family& single);

}  // namespace orlop
