// Guard against messages to addresses in the host's own network.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// Reports whether the text is a valid entry of an allow list: a host name, an address, or a range like 10.0.0.0/8.
bool is_allow_entry(std::string_view text);

// Returns the reason why messages to `url` are refused, as the end of a sentence that begins with its field ("must
// begin with https://"); empty if they are allowed. Hosts on the allow list are always accepted, also with http. Names
// are not resolved here: the sender checks the addresses that they resolve to.
std::string target_refusal(std::string_view url, std::span<const std::string> allowed);

// Returns the host of a URL in lower case, without its port; empty if it has none.
std::string target_host(std::string_view url);

}  // namespace orlop
