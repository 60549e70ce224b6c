module rollout-constructs/stage/crds

go 1.26

require (
	github.com/openkruise/kruise v1.8.0
	github.com/projectcontour/contour v1.32.0
	github.com/traefik/traefik/v3 v3.7.13
	istio.io/api v1.31.1
	sigs.k8s.io/gateway-api v1.4.0
)
