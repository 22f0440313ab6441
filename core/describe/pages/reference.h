// Pages of docs/reference for families, machines, errors, events and settings.
#pragma once

#include <string>

#include "model/family.h"

namespace orlop {

std::string index_page();
std::string family_page(const Family& family);
// Returns the page of the state machine of services or clusters.
std::string machine_page(MachineKind kind);
std::string errors_page();
std::string events_page();
std::string questions_page();
std::string settings_page();
std::string permissions_page();

}  // namespace orlop
