/** The scripts of the examples of rules are correct, and shown in a ConfigMap as they are. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkScript } from '../../../src/kruise/scripts/checks';
import { targetOfName } from '../../../src/kruise/scripts/config-map';
import {
  ALIYUN_SCRIPT,
  AWS_SCRIPT,
  IN_PLACE_SCRIPT,
  NGINX_SCRIPT,
  PROXY_SCRIPT,
  scriptConfigMap,
} from '../../../src/kruise/scripts/example-scripts';
import { isProven } from '../../../src/kruise/scripts/proven';

const EXAMPLES: readonly (readonly [name: string, script: string])[] = [
  ['ingress.aws-alb', AWS_SCRIPT],
  ['ingress.aliyun-alb', ALIYUN_SCRIPT],
  ['ingress.nginx', NGINX_SCRIPT],
  ['Ingress.networking.k8s.io', IN_PLACE_SCRIPT],
  ['HTTPProxy.projectcontour.io', PROXY_SCRIPT],
];

describe('an example of a script', () => {
  it.each(EXAMPLES)('for %s has no finding', (name, source) => {
    expect(checkScript({ source, target: targetOfName(name)! })).toEqual([]);
  });

  it.each(EXAMPLES)('for %s is in its ConfigMap as it is', (name, source) => {
    expect(parse(scriptConfigMap(name, source))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
      data: { [`lua.traffic.routing.${name}`]: `${source}\n` },
    });
  });

  it('keeps its blank lines in the ConfigMap', () => {
    expect(scriptConfigMap('ingress.a', 'a()\n\n  b()')).toMatch(/\|\n {4}a\(\)\n\n {6}b\(\)\n$/);
  });
});

describe('a proof', () => {
  it('is none in the sources', () => {
    expect(isProven('any')).toBe(false);
    expect(isProven('')).toBe(false);
  });
});
