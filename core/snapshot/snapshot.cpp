#include "snapshot/snapshot.h"
#include "snapshot/members/member_writer.h"

#include <span>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "base/text/base64.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "snapshot/encrypted_secrets.h"
#include "snapshot/snapshot_members.h"
#include "store/sealing/organization_keys.h"
#include "store/sealing/sealed_text.h"
#include "store/walk.h"
#include "wire/json.h"
#include "wire/read_plain.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Error broken(std::string_view what, const std::string& which) {
  return make_error(ErrorCode::storage_corrupt,
                    "the text of " + std::string(what) + " " + which + " is not a JSON object");
}

class SnapshotTaker {
 public:
  SnapshotTaker(Transaction& store, PlainSecrets plain, const SnapshotCipher* cipher)
      : store_(store), plain_(plain), cipher_(cipher) {}

  Result<void> take() {
    ORLOP_CHECK(for_each_record(store_, [&](const Record& record) { return take(record); }));
    return take_events();
  }

  std::string text(Instant taken_at) && {
    Writer header;
    header.begin_object()
        .field("orlop_snapshot", snapshot_version)
        .field("taken_at", taken_at)
        .field("records", records_);
    header.field("machines", machines_).field("events", events_).field("secrets_left_out", left_out_);
    if (cipher_ != nullptr) header.field("secrets_key", cipher_->key_name());
    header.end_object();
    return std::move(header).take() + "\n" + std::move(lines_);
  }

 private:
  bool leaves_out(const Record& record) const {
    return !record.secrets.empty() && plain_ == PlainSecrets::left_out && cipher_ == nullptr &&
           !is_sealed(record.secrets);
  }

  Result<void> take(const Record& record) {
    // a kept answer is useless without its body
    if (record.family == kept_answer_number && leaves_out(record)) return {};
    ORLOP_TRY(links, store_.links(record.id));
    Writer line(record.body.size() + 512);
    line.begin_object().key("record").begin_object();
    MemberWriter members(line);
    visit_members(record, members);
    members.text("name_key", to_base64(bytes_of(links.name_key)));
    if (!links.references.empty()) {
      line.key("references").begin_list();
      for (const Id& target : links.references) line.value(target);
      line.end_list();
    }
    ORLOP_CHECK(take_secrets(record, line));
    members.json("body", record.body);
    if (members.is_broken()) return broken("record", to_text(record.id));
    line.end_object().end_object();
    lines_.append(line.text()).append(1, '\n');
    ++records_;
    return take_machine(record.id);
  }

  Result<void> take_secrets(const Record& record, Writer& line) {
    if (record.secrets.empty()) return {};
    if (!leaves_out(record)) {
      if (cipher_ == nullptr) {
        line.field("secrets", record.secrets);
        return {};
      }
      ORLOP_TRY(encrypted, cipher_->encrypt(record));
      line.field("encrypted_secrets", encrypted);
      return {};
    }
    auto secrets = parse_stored(record.secrets);
    if (!secrets) return broken("the secrets of record", to_text(record.id));
    const Value outline = without_values(*secrets);
    line.field("missing_secrets", outline);
    left_out_ += static_cast<std::int64_t>(count_missing(outline));
    return {};
  }

  Result<void> take_machine(const Id& id) {
    ORLOP_TRY(machine, store_.machine(id));
    if (!machine) return {};
    ++machines_;
    return put("machine", std::as_const(*machine), to_text(id));
  }

  Result<void> take_events() {
    Result<void> taken;
    ORLOP_CHECK(store_.events({}, [&](const Event& event) {
      taken = put("event", event, std::to_string(event.sequence));
      ++events_;
      return taken.ok();
    }));
    return taken;
  }

  template <typename Given>
  Result<void> put(std::string_view what, const Given& given, const std::string& which) {
    Writer line(256);
    line.begin_object().key(what).begin_object();
    MemberWriter members(line);
    visit_members(given, members);
    if (members.is_broken()) return broken(what, which);
    line.end_object().end_object();
    lines_.append(line.text()).append(1, '\n');
    return {};
  }

  Transaction& store_;
  PlainSecrets plain_;
  const SnapshotCipher* cipher_;
  std::string lines_;
  std::int64_t records_ = 0;
  std::int64_t machines_ = 0;
  std::int64_t events_ = 0;
  std::int64_t left_out_ = 0;
};

}  // namespace

Result<std::string> take_snapshot(Transaction& store, Instant taken_at, PlainSecrets plain,
                                  const SnapshotCipher* cipher) {
  SnapshotTaker taker(store, plain, cipher);
  ORLOP_CHECK(taker.take());
  return std::move(taker).text(taken_at);
}

}  // namespace orlop
