// A test of a rollout in Go: with_simulation.sh go run .
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

type object map[string]any

// ask sends a request to the simulation, and answers the body. A refusal ends the program.
func ask(method, path string, body object) object {
	content := []byte{}
	if body != nil {
		content, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, os.Getenv("ORLOP_URL")+path, bytes.NewReader(content))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer reply.Body.Close()
	var answer object
	err = json.NewDecoder(reply.Body).Decode(&answer)
	if reply.StatusCode >= 400 || (err != nil && reply.StatusCode != http.StatusNoContent) {
		log.Fatalf("%s %s: %s %v", method, path, reply.Status, answer)
	}
	return answer
}

func main() {
	ask("POST", "/-/sim/rules", object{"kind": "cluster", "after": "25m"})
	ask("POST", "/-/sim/rules", object{"step": "deploy", "name": "stock", "after": "40s", "fails": "no space left", "times": 1})

	acme := ask("POST", "/organization", object{"name": "acme", "plan": "FREE"})["id"]
	europe := ask("POST", fmt.Sprintf("/organization/%s/cluster", acme), object{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"})["id"]
	ask("POST", fmt.Sprintf("/organization/%s/cluster/%s/deploy", acme, europe), nil)
	ask("POST", "/-/sim/clock", object{"advance": "25m"})
	fmt.Println("after 25 minutes the cluster is", ask("GET", fmt.Sprintf("/organization/%s/cluster/%s/status", acme, europe), nil)["status"])

	shop := ask("POST", fmt.Sprintf("/organization/%s/project", acme), object{"name": "shop"})["id"]
	production := ask("POST", fmt.Sprintf("/project/%s/environment", shop), object{"name": "production", "cluster": europe})["id"]
	ask("POST", fmt.Sprintf("/environment/%s/database", production), object{"name": "stock", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})
	for _, rollout := range []string{"first", "second"} {
		ask("POST", fmt.Sprintf("/environment/%s/deploy", production), nil)
		ask("POST", "/-/sim/clock", object{"until_idle": true})
		fmt.Printf("the %s rollout: %s\n", rollout, ask("GET", fmt.Sprintf("/environment/%s/status", production), nil)["state"])
	}
}
