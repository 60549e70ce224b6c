module rollout-constructs/stage/schemas

go 1.26

require (
	github.com/openkruise/kruise v1.8.0
	istio.io/api v1.31.1
	sigs.k8s.io/gateway-api v1.6.1
)
