// Embeds the engine in a Go program by cgo: a driver, a loop of ticks, requests, events.
// Build: go build -o deploy . (pkg-config must find orlop.pc)
package main

/*
#cgo pkg-config: orlop
#include <orlop/driver.h>
#include <orlop/orlop.h>
#include <stdlib.h>
extern orlop_error *start_step(void *context, orlop_step *step);
*/
import "C"

import (
	"encoding/json"
	"fmt"
	"log"
	"runtime"
	"unsafe"
)

func check(err *C.orlop_error) {
	if err != nil {
		log.Fatalf("%s: %s", C.GoString(C.orlop_error_name(err)), C.GoString(C.orlop_error_message(err)))
	}
}

// text gives C a view of a Go string, which the pinner keeps in place.
func text(pinner *runtime.Pinner, value string) C.orlop_text {
	if value == "" {
		return C.orlop_text{}
	}
	data := unsafe.StringData(value)
	pinner.Pin(data)
	return C.orlop_text{data: (*C.char)(unsafe.Pointer(data)), size: C.size_t(len(value))}
}

func goText(view C.orlop_text) string { return C.GoStringN(view.data, C.int(view.size)) }

// The driver. The engine calls start_step inside orlop_tick; the work goes on in a goroutine, which reports its end.
//
//export start_step
func start_step(context unsafe.Pointer, step *C.orlop_step) *C.orlop_error {
	fmt.Println("start", goText(step.kind_name), goText(step.name))
	engine, id := step.engine, step.id // copies: the step itself is valid only until start_step returns
	go func() {
		report := C.orlop_step_report{size: C.sizeof_orlop_step_report, step: id, kind: C.ORLOP_REPORT_SUCCEEDED}
		check(C.orlop_report(engine, &report))
	}()
	return nil
}

type platform struct{ engine *C.orlop_engine }

// ask sends a request and returns what the JSON Pointer names in the reply.
func (p platform) ask(method, path, body, pointer string) string {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	request := C.orlop_request{size: C.sizeof_orlop_request, method: text(&pinner, method), path: text(&pinner, path), body: text(&pinner, body)}
	var reply *C.orlop_reply
	check(C.orlop_dispatch(&reply, p.engine, &request))
	defer C.orlop_reply_free(reply)
	if C.orlop_reply_status(reply) >= 400 {
		log.Fatalf("%s %s: %s", method, path, goText(C.orlop_reply_body(reply)))
	}
	name := C.CString(pointer)
	defer C.free(unsafe.Pointer(name))
	return goText(C.orlop_reply_find(reply, name))
}

// runUntil ticks until a GET of the path answers the value. orlop_wait sleeps until a report or a deadline needs a tick.
func (p platform) runUntil(path, pointer, value string) {
	for {
		var next C.int64_t
		check(C.orlop_tick(p.engine, &next))
		if p.ask("GET", path, "", pointer) == value {
			return
		}
		check(C.orlop_wait(p.engine, next, nil))
	}
}

func (p platform) eventsSince(number C.uint64_t) (events []struct{ Kind, Family, To string }) {
	var list *C.orlop_buffer
	check(C.orlop_events(&list, p.engine, number, 1000))
	defer C.orlop_buffer_free(list)
	if err := json.Unmarshal([]byte(goText(C.orlop_buffer_text(list))), &events); err != nil {
		log.Fatal(err)
	}
	return events
}

func main() {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	driver := C.orlop_driver{size: C.sizeof_orlop_driver, start: (*[0]byte)(C.start_step)}
	pinner.Pin(&driver)
	var options C.orlop_options
	C.orlop_options_init(&options, C.sizeof_orlop_options)
	options.storage, options.driver = text(&pinner, "memory:"), &driver
	var p platform
	check(C.orlop_open(&p.engine, &options))

	acme := "/organization/" + p.ask("POST", "/organization", `{"name": "acme", "plan": "FREE"}`, "/id")
	europe := p.ask("POST", acme+"/cluster", `{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}`, "/id")
	p.ask("POST", acme+"/cluster/"+europe+"/deploy", "", "")
	p.runUntil(acme+"/cluster/"+europe+"/status", "/status", "DEPLOYED")

	shop := p.ask("POST", acme+"/project", `{"name": "shop"}`, "/id")
	production := "/environment/" + p.ask("POST", "/project/"+shop+"/environment", `{"name": "production", "cluster": "`+europe+`"}`, "/id")
	p.ask("POST", production+"/database", `{"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}`, "/id")

	var since C.uint64_t
	check(C.orlop_last_event(p.engine, &since))
	p.ask("POST", production+"/deploy", "", "")
	p.runUntil(production+"/status", "/state", "DEPLOYED")

	for _, event := range p.eventsSince(since) {
		if event.To != "" && event.Family == "database" {
			fmt.Println(event.Kind, event.To)
		}
	}
	check(C.orlop_close(p.engine))
}
