// The fixed number of a resource family: stored, public, never reused.
#pragma once

#include <cstdint>

namespace orlop {

// 0 means "any family" in ranges. 1 to 999: families of the interface; 1000 and up: the engine's own records.
using FamilyNumber = std::uint16_t;

// Families that the engine uses directly.
inline constexpr FamilyNumber environment_number = 3;
inline constexpr FamilyNumber member_number = 40;
inline constexpr FamilyNumber custom_role_number = 42;
inline constexpr FamilyNumber policy_api_token_number = 44;
inline constexpr FamilyNumber variable_number = 50;

inline constexpr FamilyNumber first_own_number = 1000;
inline constexpr FamilyNumber deployment_request_number = 1000;
inline constexpr FamilyNumber cluster_lock_number = 1001;
inline constexpr FamilyNumber database_credentials_number = 1002;
inline constexpr FamilyNumber sealing_number = 1003;
inline constexpr FamilyNumber webhook_delivery_number = 1004;
inline constexpr FamilyNumber token_digest_number = 1005;
inline constexpr FamilyNumber kept_answer_number = 1006;
inline constexpr FamilyNumber event_consumer_number = 1007;
inline constexpr FamilyNumber service_usage_number = 1021;
inline constexpr FamilyNumber billing_account_number = 1022;
inline constexpr FamilyNumber reward_claim_number = 1023;
inline constexpr FamilyNumber platform_binding_number = 1024;
inline constexpr FamilyNumber usage_meter_number = 1025;
inline constexpr FamilyNumber job_outputs_number = 1026;
inline constexpr FamilyNumber release_list_number = 1027;
inline constexpr FamilyNumber release_number = 1028;
inline constexpr FamilyNumber observation_number = 1029;

}  // namespace orlop
