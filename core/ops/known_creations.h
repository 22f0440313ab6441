// What rules have made of a body before. Many resources are made of bodies that differ in their names only, below one parent or below many. What the rules of a family make
// of a body follows from the body, from the settings, from the records that the rules have read, and from the ids of the record and of its parent: where none of them
// but the ids is another, the text of the next record is made of the text of the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "ops/unit/unit_context.h"
#include "ops/verbs.h"

namespace orlop {

// Whether the rules of the family make the same of a body whatever the name is, as Family::check demands it.
bool has_rules_without_name(const Family& family);

// Whether the name stands in JSON as it is.
bool is_plain_name(std::string_view name);

// Knows a few bodies of each family. Not synchronized: each unit hands it on to the next one.
class KnownCreations {
 public:
  // What this unit has, for as long as it has it.
  static KnownCreations& of(Unit& unit);

  // Puts what the rules of the family make of the body for `record`, which has its ids. Nothing: the rules must say it, also if they refuse it.
  Result<std::optional<NewRecord>> repeat(Unit& unit, const Family& family, const Record& record, const Value& body);
  // What they have made of it in this context, which the unit has put last. The second record that is made of a body shows what the next one is, and the third one whether that
  // is so: the same is repeated below the same parent, and below others once the third one, or a later one, had another.
  void learn(const Unit& unit, const Family& family, const Value& body, const UnitContext& context, const NewRecord& made);

 private:
  // The text of a record, in which name, ids and time are replaced.
  class Text {
   public:
    Text() = default;
    // Of a record that was made at this time. `name`: where it stands in the text.
    Text(const Record& record, Instant now, std::string_view name);
    // `part`: where the name stands in it.
    std::string with(const Record& record, Instant now, std::string_view name, BodyPart& part) const;

   private:
    enum class Part : std::uint8_t { name, own_id, parent_id, time };
    struct Place {
      std::size_t at = 0;  // in fixed_, before which the part stands
      Part part = Part::name;
    };
    std::string fixed_;
    std::vector<Place> places_;
  };

  enum class Trust : std::uint8_t {
    none,        // what is made of it cannot be foretold
    seen,        // nothing is foretold yet
    foretold,    // and not compared yet
    here,        // what was foretold was made, below this parent
    everywhere,  // and below another one
  };

  struct Known {
    Value given;  // without its name
    Id organization;
    Id parent;
    std::optional<std::size_t> siblings;  // nothing: it does not depend on them
    Trust trust = Trust::seen;
    std::vector<std::shared_ptr<const Record>> read;
    Text text;
    std::vector<Id> references;  // without the parent
    bool refers_to_parent = false;
    std::uint32_t plan_flags = 0;

    bool is_of(const Record& record, const Value& body) const;
    void foretell(const Unit& unit, const UnitContext& context, const NewRecord& made, std::string_view name);
    // Whether the rules have read the same.
    bool has_read(const UnitContext& context) const;
    bool has_foretold(const Unit& unit, const NewRecord& made, std::string_view name) const;
    std::vector<Id> references_for(const Record& record) const;
  };

  // The one that was used last first.
  FlatMap<FamilyNumber, std::vector<Known>> families_;
};

}  // namespace orlop
