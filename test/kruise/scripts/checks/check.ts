import type { Finding } from '../../../../src/core';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';

/** A class that no rule knows. */
export const demo: ScriptTarget = { provider: 'ingress', classType: 'demo' };
/** A custom kind with a sample in the library. */
export const traefikService: ScriptTarget = { provider: 'custom', group: 'traefik.io', kind: 'TraefikService' };

/** The target that the first line of an example names: `-- lua_configuration/trafficrouting_ingress/demo.lua`. */
export function targetOfExample(text: string): ScriptTarget {
  const path = /lua_configuration\/(\S+)/.exec(text)?.[1] ?? '';
  const [group = '', kind = ''] = path.split('/');
  return group === 'trafficrouting_ingress'
    ? { provider: 'ingress', classType: kind.replace(/\.lua$/, '') }
    : { provider: 'custom', group, kind };
}

/** The findings of a script as `<rule>:<line>`. */
export function check(source: string, target: ScriptTarget = demo): Finding[] {
  return checkScript({ source, target });
}

export function rulesAndLines(findings: readonly Finding[]): string[] {
  return findings.map(({ rule, source }) => `${rule}:${source?.line}`);
}

/** An ingress script that routes by weight, with some lines in the middle of it. */
export function byWeightWith(...lines: readonly string[]): string {
  return [
    'if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then error("by weight only") end',
    'local annotations = obj.annotations or {}',
    'annotations["demo.example.com/weight"] = obj.weight',
    ...lines,
    'return annotations',
  ].join('\n');
}

/** The number of the first of these lines. */
export const firstExtraLine = 4;

/** The findings about the lines in the middle of {@link byWeightWith}. */
export function checkLines(...lines: readonly string[]): Finding[] {
  return check(byWeightWith(...lines));
}

/** A custom script that routes by weight, with some lines in the middle of it. */
export function customWith(...lines: readonly string[]): string {
  return [
    'if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then error("by weight only") end',
    'local services = obj.data.spec.weighted.services',
    'table.insert(services, { name = obj.canaryService, port = services[1].port, weight = obj.canaryWeight })',
    ...lines,
    'return obj.data',
  ].join('\n');
}
