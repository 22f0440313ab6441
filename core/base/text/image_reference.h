// Names and tags of container images, by the grammar of registries:
// https://github.com/distribution/reference/blob/v0.6.0/regexp.go and the Distribution Specification of the OCI 1.1.
#pragma once

#include <string_view>

namespace orlop {

inline constexpr std::string_view image_name_form =
    "parts of lower-case letters and digits, with `.`, `_`, `__` or hyphens between them, separated by `/`, at most "
    "255 bytes in all";
inline constexpr std::string_view image_tag_form =
    "1 to 128 letters, digits, `_`, `.` or `-`, neither of the last two first, as in `1.27`, or a digest, as in "
    "`sha256:…`, or both with `@` between them";

// Reports whether the text names a repository: `library/nginx`. The first part may be a host with a port:
// `localhost:5000/nginx`.
bool is_image_name(std::string_view name);

// Reports whether the text selects an image of a repository: `1.27`, `sha256:…` or `1.27@sha256:…`.
bool is_image_tag(std::string_view tag);

}  // namespace orlop
