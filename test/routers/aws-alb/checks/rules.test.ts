import { describe, expect, it } from 'vitest';
import { collectFindings, parseManifests, type Rule, World } from '../../../../src/core';
import { awsAlbRules, checkAwsAlb } from '../../../../src/routers/aws-alb/checks';
import type { AwsAlbCheckOptions } from '../../../../src/routers/aws-alb/checks/context';
import { AwsLoadBalancerControllerVersion } from '../../../../src/routers/aws-alb/version';

const rules: readonly Rule[] = Object.values(awsAlbRules);

/** Options that the example of a rule needs. */
const OPTIONS: Readonly<Record<string, AwsAlbCheckOptions>> = {
  'alb-regex-version': { version: AwsLoadBalancerControllerVersion.V2_13_4 },
  'alb-annotation-version': { version: AwsLoadBalancerControllerVersion.V2_13_4 },
  'alb-rule-quota': { maxRules: 1 },
  'alb-target-group-quota': { maxTargetGroups: 1 },
};

function check(text: string, options?: AwsAlbCheckOptions) {
  const { manifests, findings } = parseManifests(text, 'stack.yaml');
  expect(findings).toEqual([]);
  return collectFindings(checkAwsAlb(World.of(manifests), options));
}

describe('the examples of the rules', () => {
  it.each(rules.map((rule) => [rule.id, rule] as const))(
    '%s: only this rule reports the failing example',
    (id, rule) => {
      const findings = check(rule.failing.text, OPTIONS[id]);

      expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([id]);
      for (const { source, severity, object } of findings) {
        expect(source?.file).toBe('stack.yaml');
        expect(severity).toBe(rule.severity);
        expect(object?.kind).toBe('Ingress');
      }
    },
  );

  it.each(rules.map((rule) => [rule.id, rule] as const))('%s: no rule reports the corrected example', (id, rule) => {
    expect(check(rule.corrected.text, OPTIONS[id])).toEqual([]);
  });
});

const PATHS = Array.from(
  { length: 101 },
  (_, index) =>
    `          - { path: /p${index}, pathType: Exact, backend: { service: { name: web-${index}, port: { number: 80 } } } }`,
);
const SERVICES = PATHS.map(
  (_, index) => `---
apiVersion: v1
kind: Service
metadata: { name: web-${index} }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`,
);

function stack(paths: number, listenPorts = '[{"HTTP":80}]'): string {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/listen-ports: '${listenPorts}'
spec:
  ingressClassName: alb
  rules:
    - http:
        paths:
${PATHS.slice(0, paths).join('\n')}
${SERVICES.slice(0, paths).join('')}`;
}

describe('a missing action', () => {
  it.each([
    ['got', 'did you mean actions.got? The name after "actions." is that of the backend'],
    ['elsewhere', undefined],
  ])('beside actions.%s has the fix %j', (named, fix) => {
    const json = JSON.stringify({ type: 'forward', targetGroupARN: 'arn:aws:elasticloadbalancing:x' });
    const text = stack(1)
      .replace('  annotations:\n', `  annotations:\n    alb.ingress.kubernetes.io/actions.${named}: '${json}'\n`)
      .replace('name: web-0, port: { number: 80 }', 'name: gow, port: { name: use-annotation }');
    const found = check(text).find(({ rule }) => rule === 'alb-action-missing');
    expect(found?.message).toBe(
      'the backend "gow" uses the annotation alb.ingress.kubernetes.io/actions.gow, which does not exist',
    );
    if (fix === undefined) expect(found?.fix).not.toContain('did you mean');
    else expect(found?.fix).toBe(fix);
  });
});

describe('conditions of one field', () => {
  const header = { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-a', values: ['1'] } };
  const ip = { field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } };
  const method = { field: 'http-request-method', httpRequestMethodConfig: { values: ['GET'] } };
  it.each([
    [[header, ip, method], []],
    [[header, header], []],
    [[ip, header, ip], ['there are several conditions of the field source-ip; AWS allows one in a rule']],
    [[method, method], ['there are several conditions of the field http-request-method; AWS allows one in a rule']],
  ])('%# are several only where AWS allows one', (conditions, messages) => {
    const text = stack(1).replace(
      '  annotations:\n',
      `  annotations:\n    alb.ingress.kubernetes.io/conditions.web-0: '${JSON.stringify(conditions)}'\n`,
    );
    expect(check(text).flatMap(({ rule, message }) => (rule === 'alb-condition-limit' ? [message] : []))).toEqual(
      messages,
    );
  });
});

describe('a missing Service', () => {
  it.each([
    [1, false],
    [2, true],
  ])('of %i in an action fails others with it: %j', (count, failsOthers) => {
    const names = ['none', 'web-0'].slice(0, count);
    const targets = names.map((serviceName) => ({ serviceName, servicePort: 80, weight: 100 / count }));
    const json = JSON.stringify({ type: 'forward', forwardConfig: { targetGroups: targets } });
    const text = stack(1)
      .replace('  annotations:\n', `  annotations:\n    alb.ingress.kubernetes.io/actions.go: '${json}'\n`)
      .replace('name: web-0, port: { number: 80 }', 'name: go, port: { name: use-annotation }');
    const found = check(text).find(({ rule }) => rule === 'alb-service-missing');
    expect(found?.message).toBe('there is no Service "none" in the namespace "default"');
    expect(found?.because?.includes('among several fails the whole group')).toBe(failsOthers);
  });
});

describe('the size of a load balancer', () => {
  const rulesFound = (text: string) => check(text).map(({ rule, message }) => [rule, message]);

  it('is compared with the quotas of AWS', () => {
    expect(rulesFound(stack(100))).toEqual([]);
    expect(rulesFound(stack(101))).toEqual([
      ['alb-rule-quota', 'the load balancer "default/web" gets 101 rules; its quota is 100'],
      ['alb-target-group-quota', 'the load balancer "default/web" gets 101 target groups; its quota is 100'],
    ]);
  });

  it('counts a path once for every port', () => {
    expect(rulesFound(stack(51, '[{"HTTP":80},{"HTTP":8080}]'))).toEqual([
      ['alb-rule-quota', 'the load balancer "default/web" gets 102 rules; its quota is 100'],
    ]);
  });
});
