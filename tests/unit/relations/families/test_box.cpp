// The sub-resource of a shelf (test_shelf.cpp).
#include "model/family.h"

namespace orlop::families::test_box {
namespace {

constexpr Field fields[] = {
    text("name", "Name of the box, unique within the shelf; upper and lower case differ.")
        .required()
        .unique_name(Case::sensitive),
    integer("weight_in_grams", "Weight of the box in grams, 0 to 1000. Default: 0.")
        .at_least(0)
        .at_most(1000)
        .defaults_to(0),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 906,
    .name = "test_box",
    .schema = "TestBox",
    .segment = "testBox",
    .id_name = "testBoxId",
    .about = "A box on a shelf.",
    .parent = "test_shelf",
    .fields = fields,
    .sample = R"({"name": "Screws", "weight_in_grams": 5})",
};

}  // namespace orlop::families::test_box
