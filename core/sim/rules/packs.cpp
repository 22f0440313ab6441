// Packs of rules. The durations of `realistic` are orders of magnitude; docs/guide/simulation.md names their sources.
#include <string_view>

#include "sim/rules/rule_set.h"

namespace orlop {
namespace {

#define ORLOP_LOGNORMAL(median, sigma) R"({"distribution":"lognormal","median":")" median R"(","sigma":)" sigma "}"

#define ORLOP_REALISTIC \
  R"({"step":"build","after":)" ORLOP_LOGNORMAL("3m", "0.5") "},"                               \
  R"({"step":"deploy","after":)" ORLOP_LOGNORMAL("45s", "0.4") "},"                             \
  R"({"step":"deploy","kind":"database","after":)" ORLOP_LOGNORMAL("90s", "0.4") "},"           \
  R"({"step":"deploy","kind":"database","where":{"mode":"MANAGED"},"after":)" ORLOP_LOGNORMAL("8m", "0.3") "}," \
  R"({"step":"deploy","kind":"helm","after":)" ORLOP_LOGNORMAL("1m", "0.5") "},"                \
  R"({"step":"deploy","kind":"terraform","after":)" ORLOP_LOGNORMAL("4m", "0.6") "},"           \
  R"({"step":"execute","after":)" ORLOP_LOGNORMAL("30s", "0.7") "},"                            \
  R"({"step":"stop","after":)" ORLOP_LOGNORMAL("20s", "0.3") "},"                               \
  R"({"step":"restart","after":)" ORLOP_LOGNORMAL("30s", "0.3") "},"                            \
  R"({"step":"delete","after":)" ORLOP_LOGNORMAL("30s", "0.3") "},"                             \
  R"({"kind":"cluster","after":)" ORLOP_LOGNORMAL("10m", "0.25") "},"                           \
  R"({"step":"cluster_create","cloud":"AWS","after":)" ORLOP_LOGNORMAL("15m", "0.2") "},"       \
  R"({"step":"cluster_create","cloud":"GCP","after":)" ORLOP_LOGNORMAL("4m", "0.2") "},"        \
  R"({"step":"cluster_create","cloud":"AZURE","after":)" ORLOP_LOGNORMAL("10m", "0.25") "},"     \
  R"({"step":"cluster_create","cloud":"SCW","after":)" ORLOP_LOGNORMAL("5m", "0.25") "},"       \
  R"({"step":"cluster_upgrade","after":)" ORLOP_LOGNORMAL("30m", "0.3") "},"                    \
  R"({"step":"cluster_delete","after":)" ORLOP_LOGNORMAL("12m", "0.25") "}"

// Without durations: these come from the realistic rules.
#define ORLOP_CHAOS                                                                                                 \
  R"({"rule":"chaos: the build fails","step":"build","name":"?*","probability":0.05,"fails":"the builder ran out )" \
  R"(of memory"},)"                                                                                                 \
  R"({"rule":"chaos: the image cannot be pulled","step":"deploy","name":"?*","probability":0.04,"fails":"the )"     \
  R"(image cannot be pulled"},)"                                                                                    \
  R"({"rule":"chaos: the deployment hangs","step":"deploy","name":"?*","probability":0.01,"outcome":"hang"})"       \
  R"(,)"                                                                                                            \
  R"({"rule":"chaos: contact is lost","step":"deploy","name":"?*","probability":0.03,"contact_lost_after":"5s",)"   \
  R"("contact_back_after":"25s"},)"                                                                                 \
  R"({"rule":"chaos: the workload crashes","step":"deploy","name":"?*","probability":0.03,)"                        \
  R"("crash_after":)"                                                                                               \
  R"({"distribution":"exponential","mean":"1h"}})"                                                                  \
  R"(,)"                                                                                                            \
  R"({"rule":"chaos: the job fails","step":"execute","name":"?*","probability":0.05,"fails":"the job exited with )" \
  R"(the code 1"},)"                                                                                                \
  R"({"rule":"chaos: the credentials are refused","kind":"cluster","name":"?*","probability":0.02,"outcome":)"      \
  R"("credentials_refused"})"

}  // namespace

std::string_view pack_text(std::string_view name) {
  if (name == "instant") return "[]";
  if (name == "realistic") return "[" ORLOP_REALISTIC "]";
  if (name == "chaos") return "[" ORLOP_REALISTIC "," ORLOP_CHAOS "]";
  return "";
}

}  // namespace orlop
