// The host's ports as the core's interfaces.
#pragma once

#include "base/port.h"
#include "orlop/ports.h"
#include "ports/callbacks.h"

namespace orlop::c {

class HostWebhookSender final : public WebhookSender, public HostPort<orlop_webhook_sender> {
 public:
  using HostPort::HostPort;
  Result<void> deliver(const Delivery& delivery) override;
};

}  // namespace orlop::c
