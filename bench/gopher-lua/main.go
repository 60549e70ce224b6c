// Runs routing scripts with the controller's own code, for the benchmarks:
//
//	gopher-lua scripts.json answers            prints each answer as a line
//	gopher-lua scripts.json throughput FILE    prints the microseconds of a run
//	gopher-lua scripts.json first FILE         prints the milliseconds of the first 30 runs
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/openkruise/rollouts/pkg/util/luamanager"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// subject is a script and its inputs.
type subject struct {
	File   string
	Source string
	Objs   []map[string]any
}

func main() {
	subjects := read(os.Args[1])
	switch os.Args[2] {
	case "answers":
		for _, each := range subjects {
			for _, obj := range each.Objs {
				fmt.Println(answer(each.Source, obj))
			}
		}
	case "throughput":
		fmt.Println(throughput(find(subjects, os.Args[3])))
	case "first":
		fmt.Println(first(find(subjects, os.Args[3])))
	}
}

// run does what the controller does for each reconcile: from an object to the object that the script returns.
func run(source string, obj map[string]any) (decoded any, encoded []byte, err error) {
	manager := luamanager.LuaManager{}
	state, err := manager.RunLuaScript(&unstructured.Unstructured{Object: obj}, source)
	if err != nil {
		return nil, nil, err
	}
	encoded, err = luamanager.Encode(state.Get(-1))
	if err == nil {
		err = json.Unmarshal(encoded, &decoded)
	}
	return decoded, encoded, err
}

func answer(source string, obj map[string]any) string {
	_, encoded, err := run(source, obj)
	if err != nil {
		return "null"
	}
	return string(encoded)
}

func throughput(each subject) float64 {
	runFor(each, 100*time.Millisecond)
	start := time.Now()
	runs := runFor(each, 300*time.Millisecond)
	return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(runs)
}

func runFor(each subject, duration time.Duration) (runs int) {
	for start := time.Now(); time.Since(start) < duration; {
		for _, obj := range each.Objs {
			run(each.Source, obj)
		}
		runs += len(each.Objs)
	}
	return runs
}

func first(each subject) float64 {
	start := time.Now()
	for i := 0; i < 30; i++ {
		run(each.Source, each.Objs[i%len(each.Objs)])
	}
	return float64(time.Since(start).Nanoseconds()) / 1e6
}

func read(file string) (subjects []subject) {
	text, err := os.ReadFile(file)
	check(err)
	check(json.Unmarshal(text, &subjects))
	return subjects
}

func find(subjects []subject, file string) subject {
	for _, each := range subjects {
		if each.File == file {
			return each
		}
	}
	panic("no script " + file)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
