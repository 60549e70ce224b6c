/** Inputs that a person or a tool may have written. */

/** What YAML can say and cdk8s would leave out or change: nulls, empty maps, odd keys and texts. */
export const ODD_OBJECTS = String.raw`
apiVersion: v1
kind: ConfigMap
metadata:
  name: odd
  creationTimestamp: null
  labels: {}
  annotations:
    "quotes": "it's \"quoted\" \\ ${'$'}{injected} ${'`'}tick${'`'}"
data:
  constructor: plain
  script.sh: |
    #!/bin/sh
    echo "${'$'}{HOME}" ${'`'}date${'`'} \n	tab
  hidden: "a\u202eb\u0007c\u2028d"
  crlf: "a\r\nb\r\n"
  empty: ""
---
apiVersion: batch/v1
kind: Job
metadata:
  generateName: once-
  namespace: jobs
spec:
  template:
    spec:
      restartPolicy: Never
      volumes:
        - name: cache
          emptyDir: null
        - null
      containers: [{ name: once, image: example.com/once:1, args: [], env: [{ name: A, value: "" }], resources: {} }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: "system:reader" }
rules: []
---
apiVersion: example.com/v1alpha1
kind: Widget
metadata: { name: "1st.widget", namespace: a }
spec: { "9": 1, "a-b": 1.5, big: 1.0e+21, neg: -0.5, list: [[], [{}], true, null, ""] }
---
apiVersion: example.com/v1alpha1
kind: Widget
metadata: { name: "1st.widget", namespace: b }
status: { ready: true }
`;

/** A Rollout as people write it by hand, with what the helpers cannot say. */
export const HAND_WRITTEN = `
# A comment.
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: example.com/web:1 }] }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop }
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata:
  name: web
  namespace: shop
  labels: { team: a }
  annotations: { rollouts.kruise.io/trafficrouting: front }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    paused: false
    canary:
      enableExtraWorkloadForCanary: true
      failureThreshold: 10%
      patchPodTemplateMetadata: { labels: { canary: "1" } }
      trafficRoutingRef: front
      steps:
        - matches: [{ headers: [{ type: Exact, name: user-agent, value: pc }, { type: RegularExpression, name: x, value: "^b" }] }]
          replicas: 1
          pause: {}
        - { traffic: 20%, replicas: 1, pause: { duration: 60 } }
        - { traffic: 100%, replicas: 100% }
      trafficRoutings:
        - { service: web, ingress: { name: web, classType: nginx }, gracePeriodSeconds: 5 }
---
apiVersion: rollouts.kruise.io/v1alpha1
kind: TrafficRouting
metadata: { name: front, namespace: shop }
spec:
  objectRef: [{ service: web, ingress: { name: web, classType: mse } }]
  strategy:
    matches: [{ headers: [{ type: Exact, name: x-user, value: a }] }]
    requestHeaderModifier: { set: [{ name: x-canary, value: web }] }
`;

/** The same Rollout with a field that no prop writes, one the API does not have, and an older version of the API. */
export const NO_CONSTRUCTS = `
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: explicit, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: a }
  strategy: { canary: { enableExtraWorkloadForCanary: false, steps: [{ replicas: 100% }] } }
---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: unknown, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: b }
  strategy: { canary: { steps: [{ replicas: 100%, wait: 5 }] } }
---
apiVersion: rollouts.kruise.io/v1alpha1
kind: Rollout
metadata: { name: old, namespace: shop }
spec:
  objectRef: { workloadRef: { apiVersion: apps/v1, kind: Deployment, name: c } }
  strategy: { canary: { steps: [{ weight: 100 }] } }
`;

/** An ALB with a class, and routing scripts of which one is the user's. */
export const ON_AN_ALB = `
apiVersion: elbv2.k8s.aws/v1beta1
kind: IngressClassParams
metadata: { name: public, labels: { team: a } }
spec: { group: { name: shop }, scheme: internet-facing, targetType: ip, tags: [{ key: team, value: a }] }
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: public
  labels: { team: a }
  annotations: { ingressclass.kubernetes.io/is-default-class: "true" }
spec:
  controller: ingress.k8s.aws/alb
  parameters: { apiGroup: elbv2.k8s.aws, kind: IngressClassParams, name: public }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/group.name: shop
    alb.ingress.kubernetes.io/group.order: "10"
    rollout-constructs.io/canary-group-order: "9"
    alb.ingress.kubernetes.io/listen-ports: '[{"HTTPS":8443}]'
    alb.ingress.kubernetes.io/certificate-arn: arn:aws:acm:eu-west-1:111122223333:certificate/a,arn:aws:acm:eu-west-1:111122223333:certificate/b
    alb.ingress.kubernetes.io/auth-type: oidc
    alb.ingress.kubernetes.io/auth-idp-oidc: '{"issuer":"https://id","authorizationEndpoint":"https://id/a","tokenEndpoint":"https://id/t","userInfoEndpoint":"https://id/u","secretName":"oidc"}'
    alb.ingress.kubernetes.io/auth-session-timeout: "3600"
    alb.ingress.kubernetes.io/load-balancer-attributes: idle_timeout.timeout_seconds=30
    alb.ingress.kubernetes.io/actions.web: '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}'
    alb.ingress.kubernetes.io/actions.old: '{"type":"redirect","redirectConfig":{"path":"/new","statusCode":"HTTP_301"}}'
spec:
  ingressClassName: public
  rules:
    - host: shop.example.com
      http:
        paths:
          - { path: /old, pathType: Exact, backend: { service: { name: old, port: { name: use-annotation } } } }
          - { path: /api, pathType: Prefix, backend: { service: { name: api, port: { number: 8080 } } } }
          - { path: /, pathType: Prefix, backend: { service: { name: web, port: { name: use-annotation } } } }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: by-hand
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/actions.web: '{ "type": "forward", "forwardConfig": { "targetGroups": [{ "serviceName": "web", "servicePort": 80 }] } }'
spec:
  ingressClassName: alb
  rules: [{ http: { paths: [{ path: /hand, pathType: Prefix, backend: { service: { name: web, port: { name: use-annotation } } } }] } }]
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: Service
metadata: { name: api, namespace: shop }
spec: { selector: { app: api }, ports: [{ port: 8080 }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout, labels: { team: a } }
data:
  lua.traffic.routing.ingress.mine: |
    annotations = obj.annotations
    annotations["a"] = obj.weight
    return annotations
`;
