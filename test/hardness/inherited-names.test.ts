/** Names that every JavaScript object inherits, where a manifest or a script says which one of several it means. */
import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { parseManifests, World } from '../../src/core';
import { checkScript } from '../../src/kruise/scripts/checks';

const stackWith = (name: string) => `apiVersion: v1
kind: ResourceQuota
metadata: {name: a, namespace: shop}
spec: {hard: {pods: '1'}, scopes: ['${name}']}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: a, namespace: shop}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: '${name}', name: x}, metrics: [{type: '${name}'}]}
---
apiVersion: apisix.apache.org/v2
kind: ApisixRoute
metadata: {name: a, namespace: shop}
spec:
  http:
    - name: r
      match:
        hosts: [a.example.com]
        paths: [/*]
        exprs: [{subject: {scope: Header, name: x}, op: '${name}', value: y}]
      backends: [{serviceName: s, servicePort: 80}]
---
apiVersion: v1
kind: '${name}'
metadata: {name: a}
`;

describe.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])('%s', (name) => {
  it('is a name like any other in a manifest', () => {
    const { findings } = checkStack(World.of(parseManifests(stackWith(name), 'stack.yaml').manifests));
    const texts = findings.flatMap(({ message, fix }) => [message, fix]).join('\n');
    expect(texts).toContain(`"${name}"`);
    expect(texts).not.toMatch(/native code|\[object/);
  });

  it('is a global that the controller does not have', () => {
    const source = `return ${name}.x`;
    const [found] = checkScript({ source, target: { provider: 'ingress', classType: 'mine' } }).filter(
      ({ rule }) => rule === 'lua-unavailable',
    );
    expect(found?.fix).toBe(
      name === 'toString' ? 'did you mean tostring?' : `define ${name} as a local before it is used`,
    );
  });
});
