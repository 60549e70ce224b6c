import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyPackArgs } from '@pulumi/policy';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { RolloutPoliciesOptions } from '../../src/policy';
import * as library from '../../src/policy';
import { urnOf } from './analyzer';
import { resourcesOf } from './stacks';

const ROOT = join(__dirname, '..', '..');
const text = readFileSync(join(ROOT, 'docs', 'pulumi-policy.md'), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code!);

const { policies } = library;

describe('docs/pulumi-policy.md', () => {
  it('lists the policies', () => {
    const listed = [...text.matchAll(/^\| `([a-z-]+)` \| (the stack|each resource)/gm)].map(([, name]) => name);
    const names = policies.map(({ name }) => name).filter((name) => !name.endsWith('-warnings'));
    expect([...listed].sort()).toEqual([...names].sort());
  });

  it('shows configuration that the policies understand', () => {
    const [config] = blocks('json').map((code) => JSON.parse(code) as Record<string, Record<string, unknown>>);
    expect(Object.keys(config!)).toContain('kruise');
    for (const [name, settings] of Object.entries(config!)) {
      const policy = policies.find((each) => each.name === name);
      expect(policy, name).toBeDefined();
      if (typeof settings === 'string') continue;
      const known = policy!.configSchema!.properties as Record<
        string,
        { items: { enum?: string[]; properties?: object } }
      >;
      for (const [key, entries] of Object.entries(settings).filter(([key]) => key !== 'enforcementLevel')) {
        expect(Object.keys(known)).toContain(key);
        for (const entry of entries as (string | { rule: string })[]) {
          const rule = typeof entry === 'string' ? entry : entry.rule;
          expect(known.include!.items.enum).toContain(rule);
          if (typeof entry !== 'string')
            expect(Object.keys(known[key]!.items.properties!)).toEqual(expect.arrayContaining(Object.keys(entry)));
        }
      }
    }
  });

  it('shows a pack that can be made', () => {
    const packs: PolicyPackArgs[] = [];
    class PolicyPack {
      constructor(_: string, args: PolicyPackArgs) {
        packs.push(args);
      }
    }
    const modules: Record<string, unknown> = { '@pulumi/policy': { PolicyPack }, 'rollout-constructs/policy': library };
    for (const code of blocks('ts')) {
      const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(code, { compilerOptions });
      new Function('require', 'exports', outputText)((name: string) => modules[name], {});
    }
    expect(packs).toHaveLength(1);
    const levels = Object.fromEntries(packs[0]!.policies.map(({ name, enforcementLevel }) => [name, enforcementLevel]));
    expect(levels).toMatchObject({ 'kruise-grace-period-short': 'mandatory', 'alb-service-missing': 'advisory' });
  });

  it('shows what is said', () => {
    const page = readFileSync(join(ROOT, 'docs', 'rules', 'rehearsal-canary-gets-nothing.md'), 'utf8');
    const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(page)!;
    const resources = resourcesOf(yaml!).map((each) => ({ ...each, urn: urnOf(each) }));
    const said: string[] = [];
    for (const policy of policies.filter(({ name }) => name === 'rehearsal')) {
      if (!('validateStack' in policy)) continue;
      const report = (message: string) => said.push(`${policy.description}\n${message}\n`);
      void policy.validateStack({ resources, getConfig: () => ({}) } as never, report);
    }
    expect(said).toContain(blocks('text')[0]);
  });

  it('names the options as they are', () => {
    // Every option at once: the compiler rejects one that does not exist, and one that is missing here.
    const every: Required<Record<keyof RolloutPoliciesOptions, true>> = {
      kruiseVersion: true,
      argoVersion: true,
      awsLoadBalancerControllerVersion: true,
      ingressNginxVersion: true,
      traefikVersion: true,
      istioVersion: true,
      kubernetesVersion: true,
      cluster: true,
      controllerNamespace: true,
      partitionPercentLimit: true,
      scripts: true,
      external: true,
      rehearsal: true,
      probes: true,
      suppressions: true,
      rules: true,
    };
    const options = Object.keys(every);
    const [table] = text.split('| option |')[1]!.split('\n\n');
    const cells = [...table!.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].map(([, cell]) => cell!);
    const listed = cells.flatMap((cell) => [...cell.matchAll(/\w+/g)].map(([name]) => name));
    expect(listed.sort()).toEqual(options.sort());
  });
});
