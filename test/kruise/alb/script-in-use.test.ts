import { describe, expect, test } from 'vitest';
import { checkStack, ruleGroups } from '../../../src/check';
import { parseManifests, World } from '../../../src/core';

const rules = new Map(ruleGroups.flatMap((group) => group.rules.map((rule) => [rule.id, rule] as const)));
const documentsOf = (id: string) => rules.get(id)!.corrected.text.split('---\n');
const found = (...documents: readonly string[]) =>
  checkStack(World.of(parseManifests(documents.join('---\n'), 'stack.yaml').manifests)).findings.map(
    ({ rule, message }) => `${rule}: ${message}`,
  );
const rulesOf = (...documents: readonly string[]) => found(...documents).map((line) => line.split(':')[0]);

const ALIYUN = documentsOf('kruise-aliyun-order');
const withoutScript = ALIYUN.filter((text) => !text.includes('kind: ConfigMap'));
const withOrders = (stable: string, more = '') =>
  withoutScript.map((text) =>
    text
      .replace('rollout-constructs.io/canary-order: "1"', more === '' ? 'example.com/team: shop' : more)
      .replace('order: "501"', `order: "${stable}"`),
  );

const ownScript = (order: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.ingress.aliyun-alb: |
    local prefix, annotations = "alb.ingress.kubernetes.io/", obj.annotations or {}
    annotations[prefix .. "canary"] = "true"
    annotations[prefix .. "order"] = "${order}"
    annotations[prefix .. "canary-weight"] = obj.matches == nil and obj.weight or nil
    annotations[prefix .. "canary-by-header"] = obj.matches and obj.matches[1].headers[1].name or nil
    annotations[prefix .. "canary-by-header-value"] = obj.matches and obj.matches[1].headers[1].value or nil
    return annotations
`;

describe('the order of a canary Ingress of Alibaba Cloud is the one that the script writes', () => {
  test('the built-in script writes 1, whatever annotations the stable Ingress has', () => {
    expect(rulesOf(...withOrders('501'))).not.toContain('kruise-aliyun-order');
    expect(found(...withOrders('1'))).toContain(
      'kruise-aliyun-order: the built-in script gives the canary Ingress of the Rollout "web" the order 1, and the stable one has 1',
    );
  });

  test('a script of the user', () => {
    expect(rulesOf(...withOrders('501'), ownScript('500'))).not.toContain('kruise-aliyun-order');
    expect(found(...withOrders('501'), ownScript('502'))).toContain(
      'kruise-aliyun-order: the script of the ConfigMap gives the canary Ingress of the Rollout "web" the order 502, and the stable one has 501',
    );
  });

  test('a script that reads the annotation needs it', () => {
    const documents = ALIYUN.map((text) => text.replace('rollout-constructs.io/canary-order: "1"', 'a.b/c: d'));
    expect(rulesOf(...documents)).toContain('kruise-aliyun-order');
  });
});

describe('what a step may match depends on the script', () => {
  const cookie = (documents: readonly string[]) =>
    documents.map((text) => text.replace('name: user-agent, value: pc', 'name: cookie, value: beta'));

  test('the script of the library refuses a cookie with another value, the built-in one sends it as a header', () => {
    expect(rulesOf(...cookie(ALIYUN))).toContain('kruise-aliyun-match');
    expect(rulesOf(...cookie(withOrders('501')))).not.toContain('kruise-aliyun-match');
  });

  test('a script of the user is judged by the rehearsal alone', () => {
    expect(rulesOf(...cookie(withOrders('501')), ownScript('1'))).not.toContain('kruise-aliyun-match');
  });
});

test('on AWS, a script of the user may write the order without an annotation', () => {
  const aws = documentsOf('kruise-alb-order').map((text) =>
    text.replace('    rollout-constructs.io/canary-group-order: "9"\n', ''),
  );
  const own = (order: string) =>
    aws.map((text) => text.replace('annotations["rollout-constructs.io/canary-group-order"]', `"${order}"`));
  expect(rulesOf(...own('9'))).not.toContain('kruise-alb-order');
  expect(rulesOf(...own('10'))).toContain('kruise-alb-order');
});

test('a script that the controller never runs has one finding', () => {
  const [configMap] = documentsOf('lua-script-shadowed');
  const shadowed = configMap!.replace('HTTPProxy.projectcontour.io', 'VirtualService.networking.istio.io');
  expect(rulesOf(shadowed.replace('return data', 'return nothing.at.all'))).toEqual(['lua-script-shadowed']);
});
