#include "store/stored_record.h"

#include <cstring>
#include <utility>

namespace orlop {
namespace {

// Never truncates: larger sizes are refused much earlier.
std::uint32_t counted(std::size_t count) { return static_cast<std::uint32_t>(count); }

void append(char*& to, const void* from, std::size_t size) {
  if (size != 0) std::memcpy(to, from, size);
  to += size;
}

}  // namespace

StoredRecord::StoredRecord(Record&& record, std::string_view name_key, const std::vector<Id>& references,
                           BodyPatterns& patterns)
    : id_(record.id),
      parent_(record.parent),
      organization_(record.organization),
      revision_(record.revision),
      family_(record.family),
      name_key_size_(counted(name_key.size())),
      reference_count_(counted(references.size())) {
  auto [pattern, packed] = patterns.pack(family_, record.body, id_);
  pattern_ = std::move(pattern);
  const std::size_t references_size = references.size() * sizeof(Id);
  const std::size_t secrets_size = pattern_ ? record.secrets.size() : 0;
  texts_ = std::make_unique_for_overwrite<char[]>(name_key.size() + references_size + packed.size() + secrets_size);
  char* to = texts_.get();
  append(to, name_key.data(), name_key.size());
  append(to, references.data(), references_size);
  if (!pattern_) {
    whole_ = Shared<Record>(std::move(record));
    return;
  }
  append(to, packed.data(), packed.size());
  append(to, record.secrets.data(), secrets_size);
  packed_size_ = counted(packed.size());
  body_size_ = counted(record.body.size());
  secrets_size_ = counted(secrets_size);
}

std::vector<Id> StoredRecord::references() const {
  std::vector<Id> found(reference_count_);
  if (reference_count_ != 0) std::memcpy(found.data(), texts_.get() + references_at(), reference_count_ * sizeof(Id));
  return found;
}

bool StoredRecord::has_references(const std::vector<Id>& references) const {
  return references.size() == reference_count_ &&
         (references.empty() ||
          std::memcmp(references.data(), texts_.get() + references_at(), references.size() * sizeof(Id)) == 0);
}

void StoredRecord::write_head(Record& out) const {
  out.id = id_;
  out.family = family_;
  out.parent = parent_;
  out.organization = organization_;
  out.revision = revision_;
}

void StoredRecord::unpack(Record& out) const {
  write_head(out);
  pattern_->unpack({texts_.get() + packed_at(), packed_size_}, body_size_, id_, out.body);
  out.secrets.assign(texts_.get() + secrets_at(), secrets_size_);
}

const Record& StoredRecord::seen(Record& room) const {
  if (whole_) return *whole_;
  unpack(room);
  return room;
}

const Record& StoredRecord::head(Record& room) const {
  write_head(room);
  room.body.clear();
  room.secrets.clear();
  return room;
}

Shared<Record> StoredRecord::share() const {
  if (whole_) return whole_;
  Record made;
  unpack(made);
  return Shared<Record>(std::move(made));
}

}  // namespace orlop
