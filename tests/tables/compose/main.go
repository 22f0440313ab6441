// Reads Compose files as the reference library does: a request on each line of the input, a JSON answer on each line of
// the output. With the argument "schema" it prints the schema of the library instead.
//
// tests/python/compose_reference.py runs it and writes the tables of this folder.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/schema"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/sirupsen/logrus"
)

type request struct {
	Directory   string            `json:"directory"`
	Files       []string          `json:"files"`
	EnvFiles    []string          `json:"env_files"`
	Environment map[string]string `json:"environment"`
	Profiles    []string          `json:"profiles"`
	Name        string            `json:"name"`
}

// The options are those of docker compose.
func load(r request) (*types.Project, error) {
	if err := os.Chdir(r.Directory); err != nil {
		return nil, err
	}
	pairs := []string{}
	for key, value := range r.Environment {
		pairs = append(pairs, key+"="+value)
	}
	options, err := cli.NewProjectOptions(r.Files, cli.WithEnv(pairs), cli.WithEnvFiles(r.EnvFiles...), cli.WithDotEnv,
		cli.WithDefaultProfiles(r.Profiles...), cli.WithName(r.Name))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(context.Background())
}

func answer(r request) (found map[string]any) {
	defer func() {
		if fault := recover(); fault != nil {
			found = map[string]any{"refused": fmt.Sprint("panic: ", fault)}
		}
	}()
	project, err := load(r)
	if err != nil {
		return map[string]any{"refused": err.Error()}
	}
	return map[string]any{"project": project, "disabled": project.DisabledServiceNames()}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "schema" {
		fmt.Println(schema.Schema)
		return
	}
	logrus.SetLevel(logrus.PanicLevel)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			panic(err)
		}
		text, err := json.Marshal(answer(r))
		if err != nil { // An SSH key with a path, which the library writes as what is no JSON.
			text, _ = json.Marshal(map[string]any{"refused": err.Error()})
		}
		fmt.Println(string(text))
	}
}
