// A record in the store in memory, with its keys. Most records are packed (body_pattern.h) until they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/shared.h"
#include "store/body_pattern.h"
#include "store/store.h"

namespace orlop {

class StoredRecord {
 public:
  // `references`: each once, ascending.
  StoredRecord(Record&& record, std::string_view name_key, const std::vector<Id>& references, BodyPatterns& patterns);

  const Id& id() const { return id_; }
  const Id& parent() const { return parent_; }
  FamilyNumber family() const { return family_; }
  std::uint64_t revision() const { return revision_; }
  std::string_view name_key() const { return {texts_.get(), name_key_size_}; }
  std::vector<Id> references() const;
  bool has_references(const std::vector<Id>& references) const;

  // Returns the stored record, or the record unpacked into `room`.
  const Record& seen(Record& room) const;
  // Returns the record without body and secrets, in `room` if it must be unpacked.
  const Record& head(Record& room) const;
  Shared<Record> share() const;

 private:
  std::size_t references_at() const { return name_key_size_; }
  std::size_t packed_at() const { return references_at() + reference_count_ * sizeof(Id); }
  std::size_t secrets_at() const { return packed_at() + packed_size_; }
  void unpack(Record& out) const;
  void write_head(Record& out) const;

  Id id_;
  Id parent_;
  Id organization_;
  std::uint64_t revision_;
  FamilyNumber family_;
  std::uint32_t name_key_size_;
  std::uint32_t reference_count_;
  std::uint32_t packed_size_ = 0;
  std::uint32_t body_size_ = 0;
  std::uint32_t secrets_size_ = 0;
  std::unique_ptr<char[]> texts_;  // name key, references, packed body, secrets
  Shared<BodyPattern> pattern_;    // null if the record is whole
  Shared<Record> whole_;
};

}  // namespace orlop
