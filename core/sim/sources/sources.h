// Sources from which services of a simulation are deployed: the images of its registries, the charts of its Helm
// repositories and the commits of its git repositories, as data.
//
// A registry or repository with an entry has only what its entries list: a step that needs anything else fails, and
// names what is missing. Without an entry it has everything. The questions of the interface about them (has_image,
// list_commits and the others) are answered from the same data, unless a rule of the scripted external systems does.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/instant.h"
#include "base/port.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "model/value.h"
#include "sim/sources/catalog.h"
#include "wire/writer.h"

namespace orlop {

// Result of looking up what a step needs.
struct SourceFinding {
  std::string missing;   // reason for which the step fails; empty if it finds everything
  std::string resolved;  // sentence with the digest of its image; empty if none is listed
  std::string outputs;   // commit that it uses, as JSON outputs; {} if the build has it; empty if none
};

bool reads_sources(StepKind kind);

// Looks up the image, chart or commit that a step needs to build, deploy or execute a service; other steps need none.
// The step that reads the repository looks up the commit: the build, if there is one.
SourceFinding find_sources(const SourceCatalog& catalog, const Step& step, const Value& configuration);

// Returns the answer to a question about sources. Errors: unanswered: the registry or repository has no entry;
// external_failed: the branch does not exist.
Result<std::string> answer_from_sources(const SourceCatalog& catalog, std::string_view question, const Value& input);

// Threads: every function may be called from any thread.
class Sources final : public ExternalSystems {
 public:
  using Memory = std::shared_ptr<SourceCatalog>;  // it does not change while it is shared
  explicit Sources(std::function<Instant()> now) : now_(std::move(now)) {}

  // Adds one entry, or {"sources": [...]}: all or nothing. An entry adds its items to the known ones; those that it
  // removes no longer exist. Error invalid.
  Result<void> add(const Value& given);
  void clear() { go_back(std::make_shared<SourceCatalog>()); }
  bool is_empty() const { return is_empty_; }
  // Writes {"sources": [...]}, by which restore() replaces everything.
  void write(Writer& out) const;
  Result<void> restore(const Value& given);
  Memory memory() const;
  void go_back(Memory memory);

  // As find_sources().
  SourceFinding find(const Step& step, const Value& configuration) const;
  // Answers a question if its registry or repository has entries.
  Result<std::string> ask(std::string_view question, std::string_view input) override;
  bool answers(std::string_view question) const override;

 private:
  std::function<Instant()> now_;
  std::atomic<bool> is_empty_ = true;  // of catalog_: each step checks it
  mutable std::mutex mutex_;
  Memory catalog_ = std::make_shared<SourceCatalog>();
};

}  // namespace orlop
