// Questions about invoices: payments and files.
#pragma once

#include "external_systems/shapes/services_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Field charge_input_fields[] = {
    service_organization,
    uuid("invoice_id", "ID of the invoice. A payment is requested once for each.").required(),
    integer("total_in_cents", "Amount to charge, in cents of `currency_code`.").required(),
    text("currency_code", "ISO 4217 code of the currency.").required(),
    text("card_token", "Token of the credit card at the payment provider. Empty: the card was added without one.")
        .required(),
};
inline constexpr Shape charge_input = {.fields = charge_input_fields};
inline constexpr Field payment_fault = text("answer", "Reason for which the payment was refused. Empty: it is made.");

inline constexpr Field invoice_link_input_fields[] = {
    service_organization,
    open_object("invoice", "Invoice as `GET /organization/{organizationId}/invoice/{invoiceId}` answers it.")
        .required(),
    open_object("billing_info", "Billing information of the organization.").required(),
};
inline constexpr Shape invoice_link_input = {.fields = invoice_link_input_fields};
inline constexpr Field invoice_link_fields[] = {
    uri("url", "URL at which the PDF file of the invoice can be downloaded.").required()};
inline constexpr Shape invoice_link = {.name = "InvoiceLink", .fields = invoice_link_fields};
inline constexpr Field invoice_link_answer = object("answer", invoice_link, "Address of the file.").required();

inline constexpr Field send_invoices_input_fields[] = {
    service_organization,
    text("email", "Address of the billing information. Empty: it was never given.").required(),
    list_of("invoice_ids", FieldKind::id, "IDs of the invoices.").required(),
};
inline constexpr Shape send_invoices_input = {.fields = send_invoices_input_fields};

}  // namespace orlop::question_shapes
