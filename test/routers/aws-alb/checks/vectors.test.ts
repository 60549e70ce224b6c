import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectFindings, Manifest, World } from '../../../../src/core';
import { checkAwsAlb } from '../../../../src/routers/aws-alb/checks';

/** What the controller itself made of Ingresses: see the README next to the file. */
const vectors = readFileSync(join(__dirname, '../../../vectors/alb-rules.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Rules for mistakes that make the controller apply nothing of a group. */
const FREEZING = new Set([
  'alb-action-invalid',
  'alb-condition-invalid',
  'alb-condition-mixed-regex',
  'alb-default-backend-conflict',
  'alb-group-conflict',
  'alb-group-frozen',
  'alb-group-order',
  'alb-group-setting',
  'alb-instance-service',
  'alb-listen-ports',
  'alb-path-wildcard',
  'alb-resource-backend',
  'alb-service-port',
  'alb-ssl-redirect',
  'alb-target-group-setting',
]);

function worldOf({ ingresses, services, ingressClasses, ingressClassParams }: Record<string, object[] | undefined>) {
  const classes = ingressClasses ?? [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'alb' },
      spec: { controller: 'ingress.k8s.aws/alb' },
    },
  ];
  const objects = [...(ingresses ?? []), ...(services ?? []), ...classes, ...(ingressClassParams ?? [])];
  return World.of(objects.map((object) => Manifest.of(object)));
}

describe('the checks against the groups that the controller built', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, { input, expect: expected }) => {
    const findings = collectFindings(checkAwsAlb(worldOf(input)));
    const keysOf = (members: readonly string[]) => new Set(members);
    for (const { group, members, errorClass, error } of expected.groups) {
      const keys = keysOf(members ?? []);
      const ofGroup = findings.filter(({ object }) => keys.has(`${object?.namespace ?? 'default'}/${object?.name}`));
      const errors = ofGroup.filter(({ severity }) => severity === 'error');
      if (errorClass !== undefined && members !== undefined) {
        expect(errors, `${group}: ${error}`).not.toEqual([]);
      } else if (errorClass !== undefined) {
        expect(findings.filter(({ rule }) => rule === 'alb-group-order')).not.toEqual([]);
      } else {
        expect(errors.filter(({ rule }) => FREEZING.has(rule))).toEqual([]);
      }
    }
  });

  it('has groups of both kinds', () => {
    const groups = vectors.flatMap(({ expect: { groups } }) => groups as { errorClass?: string }[]);
    expect(groups.filter(({ errorClass }) => errorClass !== undefined).length).toBeGreaterThan(20);
    expect(groups.filter(({ errorClass }) => errorClass === undefined).length).toBeGreaterThan(100);
  });
});
