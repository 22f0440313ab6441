// Base classes of the Python class of a family, which provide its methods. They follow from the routes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

// Reports whether an operation, plain or of a set, answers the verb at the paths of the family: POST and GET at its
// collection; GET, PUT and DELETE at one resource, by id.
bool serves(const Family& family, Verb verb);
// Reports whether one request can create a resource for each of many names.
bool serves_many(const Family& family);

// Returns the classes of python/orlop/resources/actions.py with the operations of the family's sets.
std::vector<std::string> actions_of(const Family& family);
// Returns the classes of python/orlop/resources/resource.py with the verbs of one resource.
std::vector<std::string> item_verbs_of(const Family& family);
// Returns the classes with the verbs of a collection; "Collection" if it only gets a resource by its id.
std::vector<std::string> collection_verbs_of(const Family& family);
// Returns all bases of the class of one resource: actions, then verbs; "Resource" if there are none.
std::vector<std::string> bases_of(const Family& family);
// Returns the base of the class of a family of settings.
std::string_view settings_class_of(const Family& single);

}  // namespace orlop
