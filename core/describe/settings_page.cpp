#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/settings.h"
#include "deploy/driver/report_bounds.h"
#include "describe/markdown.h"
#include "describe/reference.h"
#include "rest/problem.h"

namespace orlop {
namespace {

std::string number(std::int64_t value) { return code(std::to_string(value)); }
std::string number(std::size_t value) { return code(std::to_string(value)); }

std::string_view to_string(BusyPolicy policy) {
  switch (policy) {
    case BusyPolicy::queue:
      return "queue";
    case BusyPolicy::reject:
      return "reject";
  }
  return "";
}

std::string settings() {
  const Settings absent;
  std::string text = table_head({"option", "default", "about"});
  text += table_row({code("brand"), code(absent.brand), "The word in names such as `MANAGED_BY_PLATFORM`; lower case letters."});
  text += table_row({code("busy"), code(to_string(absent.busy)),
                     "What becomes of a deployment request while another one runs in its environment: `queue` lets it wait, "
                     "`reject` refuses it with 409."});
  text += table_row(
      {code("max_parallel_builds"), number(std::int64_t{absent.max_parallel_builds}), "Builds at a time in one environment."});
  text += table_row({code("max_parallel_deploys"), number(std::int64_t{absent.max_parallel_deploys}),
                     "Deployments at a time in one stage of one environment."});
  text += table_row({code("step_deadline_ms"), number(absent.step_deadline.milliseconds),
                     "After how long a step without a bound of its own has failed."});
  text += table_row({code("cancel_deadline_ms"), number(absent.cancel_deadline.milliseconds),
                     "After how long a service that is being canceled has failed."});
  text += table_row({code("history_kept"), number(std::int64_t{absent.history_kept}),
                     "Ended requests kept for each environment; at least 20."});
  text += table_row({code("authentication"), code("off"),
                     "Whether requests from outside must prove who sends them: `off` or `required`. See [permissions](permissions.md)."});
  text += table_row({code("webhook_allow"), "none",
                     "Hosts and ranges of addresses that webhooks may lead to, by http too, although they are not on the public internet."});
  text += table_row({code("mmap_size"), code("0"),
                     "Bytes of the store's file that reads map into memory. Faster, but a file that gets shorter while it is open, or a disk that "
                     "fails, then ends the process with SIGBUS instead of an error. See [storage](../guide/storage.md)."});
  text += table_row({code("log"), "none", "Receives messages for the operators of the host: an error, a warning or an information in one sentence."});
  text += table_row({code("require_cluster"), code(absent.require_cluster ? "true" : "false"),
                     "Whether services are deployed only to a cluster that is `DEPLOYED` or `RESTARTED`. A deploy waits for a cluster that "
                     "is on its way there, and is refused with 409 otherwise."});
  text += table_row({code("catalogs"), code(absent.open_catalogs ? "open" : "known"),
                     "What becomes of a region or version that the built-in catalogues do not know: `known` refuses it with 400 and "
                     "names the nearest known one, `open` accepts it."});
  return text + table_row({code("rate_limit"), "`1000` where authentication is required, else none",
                           "Requests from outside that one token may make in an hour of the engine's time; the next one is refused "
                           "with 429."});
}

std::string bounds() {
  std::string text = table_head({"bound", "value", "about"});
  text += table_row({"body", number(body_size_max), "Bytes of a request's body."});
  text += table_row({"path", number(path_size_max), "Bytes of a path with its query."});
  text += table_row({"depth", number(std::int64_t{json_depth_max}), "Objects and lists inside one another."});
  text += table_row({"page", number(page_size_max), "Results of one page."});
  text += table_row({"name", number(name_size_max), "Bytes of a resource's name."});
  text += table_row({"text", number(text_size_max), "Bytes of any other text that has no bound of its own."});
  text += table_row({"report", number(text_size_max),
                     "Bytes of a reason, a log line or a progress text that a driver reports; a longer one is cut, and its end says how many "
                     "bytes are missing."});
  text += table_row({"outputs", number(outputs_size_max), "Bytes of the outputs that a driver reports; the step fails where they exceed it."});
  text += table_row({"list", "each its own", "Items; the page of each family says how many."});
  return text + table_row({"violations", number(violations_shown_max), "Broken rules in one answer; the number of the others stands beside them."});
}

}  // namespace

std::string settings_page() {
  std::string text = page_head("Settings and bounds");
  text += "\n## Settings\n\nChosen when an engine is opened.\n\n" + settings();
  return text + "\n## Bounds\n\nThe same for every engine; a request that exceeds them is refused with 400.\n\n" + bounds();
}

}  // namespace orlop
