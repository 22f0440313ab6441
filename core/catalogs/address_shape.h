// The shape of an address of a service, in outputs of steps, in records and in answers.
#pragma once

#include <string_view>

#include "model/field.h"

namespace orlop {

inline constexpr std::string_view address_protocols[] = {"HTTP", "HTTPS", "GRPC", "TCP", "UDP"};
inline constexpr std::string_view address_scopes[] = {"INTERNAL", "EXTERNAL"};

inline constexpr Field address_fields[] = {
    text("host", "Host name or IP address, at most 255 bytes.").required().at_most(255),
    integer("port", "Port of the host, 1 to 65535. Absent: the usual one of the protocol.").at_least(1).at_most(65535),
    integer("internal_port", "Port of the service that the address leads to, 1 to 65535. Absent: not known.")
        .at_least(1)
        .at_most(65535),
    enumeration("protocol", address_protocols, "Protocol that is spoken there. Absent: not known."),
    enumeration("scope", address_scopes,
                "`INTERNAL`: reached by services of the environment. `EXTERNAL`: reached from outside.")
        .required(),
    text("url", "URL, at most 2048 bytes. Absent: made of protocol, host and port.").at_most(2048),
};
inline constexpr Shape address = {.name = "ServiceAddress", .fields = address_fields};

inline constexpr Field addresses_field =
    list_of("addresses", address,
            "Addresses of the service, as the driver returned them last, at most 100. Absent: none.")
        .at_most(100);

}  // namespace orlop
