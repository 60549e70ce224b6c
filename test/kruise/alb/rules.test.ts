import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/core';
import { type AlbCheckOptions, kruiseAliyunAlbRules, kruiseAwsAlbRules } from '../../../src/kruise/alb';
import { AwsLoadBalancerControllerVersion } from '../../../src/routers/aws-alb/version';
import { check } from './check';

const all: readonly Rule[] = Object.values({ ...kruiseAwsAlbRules, ...kruiseAliyunAlbRules });
const rules = all.filter(({ failing }) => failing.language === 'yaml');

/** What the example of a rule needs beside its manifests. */
const OPTIONS: Readonly<Record<string, AlbCheckOptions>> = {
  'kruise-alb-regex-version': { awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.V2_13_4 },
};

describe('the examples of the rules', () => {
  it.each(rules.map((rule) => [rule.id, rule] as const))('%s: exactly it is found in what is wrong', (id, rule) => {
    const findings = check(rule.failing.text, OPTIONS[id]);

    expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([id]);
    for (const { source, severity, object, path } of findings) {
      expect(source?.file).toBe('stack.yaml');
      expect(severity).toBe(rule.severity);
      expect(object).toBeDefined();
      expect(path).toBeDefined();
    }
  });

  it.each(rules.map((rule) => [rule.id, rule] as const))('%s: nothing is found in what is corrected', (id, rule) => {
    expect(check(rule.corrected.text, OPTIONS[id])).toEqual([]);
  });

  it('shows every rule but those about orders that the library gives in YAML', () => {
    expect(all.filter((rule) => !rules.includes(rule)).map(({ id }) => id)).toEqual([
      'kruise-aliyun-order-moves',
      'kruise-aliyun-order-exhausted',
    ]);
  });
});
