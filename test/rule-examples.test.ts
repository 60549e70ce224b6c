import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ArgoRolloutsVersion } from '../src/argo/version';
import { checkStack, ruleGroups, type StackCheckOptions } from '../src/check';
import { type Finding, parseManifests, type ReadLimits, type Rule, World } from '../src/core';
import { checkAwsAlb } from '../src/routers/aws-alb/checks';
import type { AwsAlbCheckOptions } from '../src/routers/aws-alb/checks/context';
import { AwsLoadBalancerControllerVersion } from '../src/routers/aws-alb/version';
import { check as checkLua, targetOfExample } from './kruise/scripts/checks/check';

const ROOT = join(__dirname, '..');

/** Rules that an example alone cannot meet, each with the test that meets it. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  // Folders and files, not manifests.
  'lua-testdata-missing': 'kruise/scripts/checks/examples.test.ts',
  'lua-testdata-scenario-missing': 'kruise/scripts/checks/examples.test.ts',
  'lua-testdata-failed': 'constructs/lua-routing-config-map.test.ts',
  'file-unreadable': 'core/reader.test.ts',
  'file-not-utf8': 'core/reader.test.ts',
  'files-skipped': 'core/reader.test.ts',
  // The check of the object reports the same refusal with its field.
  'rehearsal-refused': 'kruise/release/refused.test.ts',
  // Calls of the library.
  'lua-script-duplicate': 'constructs/lua-routing-config-map.test.ts',
  'lua-config-map-too-large': 'constructs/lua-routing-config-map.test.ts',
  'argo-alb-port-assumed': 'constructs/argo-alb-rollout.test.ts',
  'argo-alb-entrance-assumed': 'constructs/argo-alb-rollout.test.ts',
  'suppression-untrusted': 'cli/trust.test.ts',
  'budget-spent': 'cli/budget.test.ts',
  'rehearsal-budget-spent': 'cli/budget.test.ts',
  'kruise-aliyun-order-moves': 'constructs/aliyun-alb-canary-ingress.test.ts',
  'kruise-aliyun-order-exhausted': 'constructs/aliyun-alb-canary-ingress.test.ts',
  'pulumi-output-in-text': 'pulumi/output-placeholders.test.ts',
  'pulumi-value-refused': 'pulumi/output-placeholders.test.ts',
  'pulumi-value-decides-structure': 'pulumi/output-placeholders.test.ts',
  // Updates: what is there already decides.
  'rollout-workload-immutable': 'kruise/admission/update.test.ts',
  'rollout-traffic-routings-immutable': 'kruise/admission/update.test.ts',
  'rollout-style-immutable': 'kruise/admission/update.test.ts',
  'rollout-step-count-immutable': 'kruise/admission/update.test.ts',
};

/** What an example needs beside its text: another release, or limits that a short text can reach. */
const OLD_CONTROLLER: StackCheckOptions = {
  awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.V2_13_4,
};
const ALL_STORIES: StackCheckOptions = { rehearsal: { stories: 'all' } };
const OPTIONS: Readonly<Record<string, StackCheckOptions>> = {
  'rehearsal-story-requests-fail': ALL_STORIES,
  'rehearsal-pods-overloaded': ALL_STORIES,
  'rehearsal-story-stuck': ALL_STORIES,
  'argo-min-pods-above-replicas': { argoVersion: ArgoRolloutsVersion.V1_8_5 },
  'alb-regex-version': OLD_CONTROLLER,
  'alb-annotation-version': OLD_CONTROLLER,
  'controller-version-contradicted': { argoVersion: ArgoRolloutsVersion.V1_9_1 },
  'kruise-alb-regex-version': OLD_CONTROLLER,
};
const QUOTAS: Readonly<Record<string, AwsAlbCheckOptions>> = {
  'alb-rule-quota': { maxRules: 1 },
  'alb-target-group-quota': { maxTargetGroups: 1 },
};
const LIMITS: Readonly<Record<string, Partial<ReadLimits>>> = {
  'too-much-input': { documents: 1 },
  'yaml-too-deep': { depth: 5 },
  'yaml-excessive-aliasing': { aliasedValues: 10 },
};

/** A corrected example that is short where another rule would ask for more. */
interface Exception {
  readonly examples: RegExp;
  readonly errors: RegExp;
}

const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'the script is as long as what it is to show, and no longer': {
    examples: /^rehearsal-/,
    errors: /^(lua-.*|kruise-alb-order)$/,
  },
};

const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);
const named = (some: readonly Rule[]) => some.map((rule) => [rule.id, rule] as const);
const shown = rules.filter(({ id }) => SHOWN_BY[id] === undefined);

const known = new Map<string, readonly Finding[]>();

/** Two tests look at each example. */
function found(rule: Rule, which: 'failing' | 'corrected'): readonly Finding[] {
  const key = `${rule.id} ${which}`;
  const findings = known.get(key) ?? foundNow(rule, which);
  known.set(key, findings);
  return findings;
}

function foundNow(rule: Rule, which: 'failing' | 'corrected'): Finding[] {
  const { language, text } = rule[which];
  if (language === 'lua') return checkLua(text, targetOfExample(text));
  const { manifests, findings } = parseManifests(text, 'example.yaml', { limits: LIMITS[rule.id] });
  const world = World.of(manifests);
  const quotas = QUOTAS[rule.id];
  if (quotas) return checkAwsAlb(world, quotas);
  return [...checkStack(world, { earlier: findings, kubernetesVersion: '1.34', ...OPTIONS[rule.id] }).findings];
}

describe.each(named(rules))('%s', (id, rule) => {
  it('says where its behaviour can be read', () => {
    expect(rule.sources.length).toBeGreaterThan(0);
    for (const source of rule.sources) {
      if (!/^https:\/\/[^/]+\.[a-z]+\//.test(source)) expect(existsSync(join(ROOT, source)), source).toBe(true);
    }
  });

  it('has an example that fails and another that does not', () => {
    expect(rule.failing.text.trim()).not.toBe('');
    expect(rule.corrected.text.trim()).not.toBe('');
    expect(rule.corrected.text).not.toBe(rule.failing.text);
    for (const { language, text } of [rule.failing, rule.corrected]) {
      if (language === 'typescript') expect(syntaxErrors(text)).toEqual([]);
    }
  });

  if (SHOWN_BY[id] !== undefined) {
    it('is shown by a test of its own', () => {
      expect(readFileSync(join(__dirname, SHOWN_BY[id]!), 'utf8').includes(id), SHOWN_BY[id]).toBe(true);
    });
  }
});

/** What the compiler cannot read of a statement, or of a property as it stands in an object. */
function syntaxErrors(text: string): string[] {
  const errorsOf = (source: string) =>
    (ts.transpileModule(source, { reportDiagnostics: true }).diagnostics ?? []).map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  const asStatement = errorsOf(text);
  return asStatement.length === 0 ? [] : errorsOf(`({\n${text}\n});`);
}

describe('a stack with the example of', () => {
  const met = new Set<string>();

  it.each(named(shown))('%s fails, and corrected passes', (id, rule) => {
    expect(found(rule, 'failing').map((finding) => finding.rule)).toContain(id);

    const left = found(rule, 'corrected').filter((finding) => finding.rule === id || finding.severity === 'error');
    const unexpected = left.filter((finding) => {
      const reason = Object.entries(EXCEPTIONS).find(
        ([, { examples, errors }]) => finding.rule !== id && examples.test(id) && errors.test(finding.rule),
      )?.[0];
      if (reason !== undefined) met.add(reason);
      return reason === undefined;
    });
    expect(unexpected.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });

  it.each(named(shown))('%s is rehearsed as it says', (id, rule) => {
    const isShown = ({ rule, severity }: Finding) => rule.startsWith('rehearsal-') && severity !== 'note';
    const corrected = new Set(found(rule, 'corrected').map((finding) => finding.rule));
    const failing = found(rule, 'failing').filter((finding) => isShown(finding) && !corrected.has(finding.rule));
    // A rehearsal may also show what its own Rollout has no part in.
    const isApart = id.startsWith('rehearsal-') || id === 'kruise-aliyun-order-default';
    const expected = isApart ? [] : [...new Set(failing.map((finding) => finding.rule))];
    expect([...(rule.rehearsedAs ?? [])].sort()).toEqual(expected.sort());
    const followed = failing.filter(({ cause }) => cause?.rule === id).map((finding) => finding.rule);
    expect([...new Set(followed)].sort()).toEqual(expected);
  });

  it('needs every exception that is made', () => {
    expect([...met].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});

describe('what is said of rules here', () => {
  it('is about rules that there are', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(Object.keys({ ...SHOWN_BY, ...OPTIONS, ...QUOTAS, ...LIMITS }).filter((id) => !ids.has(id))).toEqual([]);
  });
});
