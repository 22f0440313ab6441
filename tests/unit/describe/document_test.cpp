#include "describe/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "describe/generated_files.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "store/store.h"

namespace orlop {
namespace {

std::string generated(std::string_view path) {
  const auto documents = project_documents();
  const auto found = std::ranges::find(documents, path, &Document::path);
  return found == documents.end() ? "" : found->text;
}

TEST(Document, is_found_by_every_name_of_the_list) {
  std::istringstream names(*describe(""));
  int count = 0;
  for (std::string name; std::getline(names, name); ++count) {
    const auto text = describe(name);
    ASSERT_TRUE(text) << name;
    EXPECT_GT(text->size(), 100U) << name;
  }
  EXPECT_GT(count, 6);
}

TEST(Document, may_be_named_without_its_ending) {
  EXPECT_EQ(*describe("diagram/service"), *describe("diagram/service.mmd"));
  EXPECT_EQ(*describe("openapi"), *describe("openapi.json"));
}

TEST(Document, of_an_unknown_name_is_refused_with_the_names_there_are) {
  const auto refused = describe("opemapi");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_NE(refused.error().message.find("opemapi"), std::string::npos);
  EXPECT_NE(refused.error().message.find("diagram/cluster.dot"), std::string::npos);
}

TEST(Document, has_a_path_of_its_own) {
  std::set<std::string> paths;
  for (const Document& document : project_documents()) {
    EXPECT_TRUE(paths.insert(document.path).second) << document.path;
    EXPECT_EQ(document.text.back(), '\n') << document.path;
  }
  EXPECT_TRUE(paths.contains("docs/openapi.json"));
}

TEST(Enums, hold_the_numbers_of_the_core) {
  const std::string header = generated("include/orlop/enums.h");
  EXPECT_NE(header.find("  ORLOP_ERROR_STORAGE_BUSY = 111,  // the store cannot be used at the moment: another writer "
                        "holds it, or its server is not reached; nothing was changed\n"),
            std::string::npos);
  EXPECT_NE(header.find("  ORLOP_SERVICE_DELETE_ERROR = 29"), std::string::npos);
  EXPECT_NE(header.find(" = " + std::to_string(state_count<ServiceState>) + "  // "), std::string::npos)
      << "the last state has no comma";
  EXPECT_NE(header.find("  ORLOP_STEP_CLUSTER_CREATE = 11,\n"), std::string::npos);
  EXPECT_NE(header.find("  ORLOP_EVENT_FRESHNESS_CHANGED = " +
                        std::to_string(static_cast<int>(EventKind::freshness_changed)) + "\n"),
            std::string::npos);
}

TEST(States, of_python_are_transient_and_failed_as_those_of_the_core) {
  const std::string code = generated("python/orlop/generated/states.py");
  const std::size_t transient_begin = code.find("\nTRANSIENT: ");
  const std::size_t error_begin = code.find("\nERROR: ");
  ASSERT_LT(transient_begin, error_begin);
  ASSERT_NE(error_begin, std::string::npos);
  const std::string transient = code.substr(transient_begin, error_begin - transient_begin);
  const std::string error = code.substr(error_begin);
  int known = 0;
  const auto expect_nature = [&](auto state) {
    const std::string line = "    \"" + std::string(to_string(state)) + "\",\n";
    EXPECT_EQ(transient.find(line) != std::string::npos, is_transient(state)) << line;
    EXPECT_EQ(error.find(line) != std::string::npos, is_error(state)) << line;
  };
  for (int number = 0; number <= 255; ++number) {
    if (const auto state = static_cast<ServiceState>(number); parse_service_state(to_string(state)) == state) {
      expect_nature(state);
      ++known;
    }
    if (const auto state = static_cast<ClusterState>(number); parse_cluster_state(to_string(state)) == state) {
      expect_nature(state);
      ++known;
    }
  }
  EXPECT_GT(known, 50);
}

TEST(Models, have_a_class_and_a_collection_for_every_family) {
  const std::string code = generated("python/orlop/generated/models.py");
  const std::string types = generated("python/orlop/generated/models.pyi");
  for (const Family* family : all_families()) {
    const bool is_named_in_body = !family->parent_field.body.empty();
    // Families that Engine.request() serves, or that are written by hand.
    if (family->path == PathForm::single || family->verbs == 0 || is_named_in_body) continue;
    const std::string name(family->schema);
    for (const std::string& text : {code, types}) {
      EXPECT_NE(text.find("\nclass " + name + "("), std::string::npos) << name;
      EXPECT_NE(text.find("\nclass " + name + "Collection("), std::string::npos) << name;
    }
  }
}

TEST(Models, have_the_verbs_of_their_family) {
  const std::string code = generated("python/orlop/generated/models.py");
  for (const char* head :
       {"class Member(Resource)", "class MemberCollection(Findable[Member])", "class Backup(Deletable)",
        "class BackupCollection(Findable[Backup], Creatable[Backup])",
        "class Container(Previewable, ClonableService, Deployable, Restartable, Stoppable, VariableOwner, Editable, "
        "Deletable)",
        "class ContainerCollection(Ensurable[Container], BulkCreatable[Container])",
        "class OrganizationCollection(Ensurable[Organization])", "class InvoiceCollection(Listable[Invoice])",
        "class ArgocdApp(Resource)", "class ArgocdAppCollection(Collection[ArgocdApp])",
        "class OrganizationOnboarding(Settings)", "class BillingInfo(EditableSettings)"}) {
    EXPECT_NE(code.find("\n" + std::string(head) + ":\n"), std::string::npos) << head;
  }
}

TEST(Models, give_secrets_and_never_answer_them) {
  const std::string types = generated("python/orlop/generated/models.pyi");
  const std::string git_token = types.substr(types.find("\nclass GitToken("));
  const std::string resource = git_token.substr(0, git_token.find("\nclass ", 1));
  EXPECT_EQ(resource.find("def token(self)"), std::string::npos);
  EXPECT_NE(types.find("token: str"), std::string::npos);
}

}  // namespace
}  // namespace orlop
