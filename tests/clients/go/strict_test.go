package main

import (
	"testing"

	"orlop.example/check/platform"
)

func TestStrictFindsWhatTheDescriptionDoesNotSay(t *testing.T) {
	answers := map[string]bool{
		`{"id":"0198c0de-0000-7000-8000-000000000001","status":"DEPLOYED","results":1}`:                                       false,
		`{"cluster_id":"0198c0de-0000-7000-8000-000000000001","status":"DEPLOYED","is_deployed":true,"reason":"UNSPECIFIED"}`: true,
		`{"cluster_id":"0198c0de-0000-7000-8000-000000000001","status":"SLEEPING","is_deployed":true,"reason":"UNSPECIFIED"}`: false,
		`{"status":"DEPLOYED","is_deployed":true,"reason":"UNSPECIFIED"}`:                                                     false,
	}
	for answer, isRight := range answers {
		if fault := strict[platform.ClusterStatus]([]byte(answer)); (fault == nil) != isRight {
			t.Errorf("%s: %v", answer, fault)
		}
	}
}
