// Package ext stands in for a module that the module proxy does not serve; routing does not touch it.
package ext

type HTTP struct{}

type Router struct{}
