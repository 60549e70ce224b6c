import { parseManifests, World } from '../../src/core';
import { Manifest } from '../../src/core/manifest';
import { labsOf } from '../stage/labs';

/** A Deployment with a Service and an Ingress of nginx, released in three steps with weights and matches. */
export const KRUISE = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'web:1', ports: [{containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: 8080}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      trafficRoutings: [{service: web, ingress: {name: web, classType: nginx}}]
      steps:
        - {replicas: 1, traffic: 10%, pause: {}}
        - {replicas: 2, matches: [{headers: [{name: x-user, value: "1"}]}, {path: {value: /beta}}], pause: {}}
        - {replicas: 10, traffic: 100%, pause: {}}
`;

export function worldOf(text: string): World {
  return World.of(parseManifests(text, 'stack.yaml').manifests);
}

/** The stack of a lab, which a real controller played. */
export function labWorld(controller: string, release: string, name: string): World {
  const found = labsOf(controller, release).find((lab) => lab.name === name);
  return World.of(found!.manifests.map((object) => Manifest.of(object)));
}
