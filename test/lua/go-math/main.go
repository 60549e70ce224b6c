// Writes what Go's math package answers: `go run main.go > answers.json`.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// text is how gopher-lua shows a number.
func text(value float64) string {
	if value == float64(int64(value)) {
		return fmt.Sprint(int64(value))
	}
	return fmt.Sprint(value)
}

// log10 is math.Log10 of the releases of Go that the controllers are built with; Go 1.26 has another.
func log10(value float64) float64 {
	return math.Log2(value) * (math.Ln2 / math.Ln10)
}

func texts(values []float64) []string {
	names := []string{}
	for _, value := range values {
		names = append(names, text(value))
	}
	return names
}

func main() {
	sizes := []float64{0.001, 0.1, 0.3, 0.5, 0.6, 0.63, 0.66, 0.67, 0.7, 0.75, 1, 1.2, 1.5, 2, 2.3, 2.5, 3.2, 4, 4.5, 5.3, 6, 7, 21.5, 44.1, 1e5, 1e-9, math.Inf(1)}
	arguments := []float64{0, math.NaN()}
	for _, size := range sizes {
		arguments = append(arguments, size, -size)
	}
	first := []float64{0, 0.25, -0.25, 0.5, 1, -1, 2, -3, 10, 1e10, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	second := []float64{0, 0.3, -0.5, 0.5, 1, -1, 2, -2.5, 3, -3, 7, 1e10, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	unary := map[string]func(float64) float64{
		"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "ceil": math.Ceil, "cos": math.Cos,
		"cosh": math.Cosh, "exp": math.Exp, "floor": math.Floor, "log": math.Log, "log10": log10, "sin": math.Sin,
		"sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
	}
	binary := map[string]func(float64, float64) float64{"atan2": math.Atan2, "fmod": math.Mod, "pow": math.Pow}
	ofOne := map[string][]string{}
	for name, function := range unary {
		for _, argument := range arguments {
			ofOne[name] = append(ofOne[name], text(function(argument)))
		}
	}
	ofTwo := map[string][][]string{}
	for name, function := range binary {
		for _, one := range first {
			row := []string{}
			for _, other := range second {
				row = append(row, text(function(one, other)))
			}
			ofTwo[name] = append(ofTwo[name], row)
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"arguments": texts(arguments), "unary": ofOne, "first": texts(first), "second": texts(second), "binary": ofTwo,
	})
}
