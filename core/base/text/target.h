// Where the platform may send messages: the guard against addresses that lie inside the host's own network.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// Whether the text is what an allow list holds: the name of a host, an address, or a range like 10.0.0.0/8.
bool is_allow_entry(std::string_view text);

// Why nothing may be sent to `url`, as the end of a sentence that begins with its field ("must begin with https://");
// "" if it may. A host on the allow list may be anything, and may be reached by http. Names are not resolved here: the
// sender checks what they resolve to.
std::string target_refusal(std::string_view url, std::span<const std::string> allowed);

// The host of a URL in lower case, without its port; "" if it has none.
std::string target_host(std::string_view url);

}  // namespace orlop
