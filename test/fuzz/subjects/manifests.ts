/** Manifests with odd values, and YAML that is hardly any: one verdict in every format, the same twice, and beside others. */
import { checkStack, wholeCatalogue } from '../../../src/check';
import { type Finding, type JsonObject, parseManifests, World } from '../../../src/core';
import { Budget } from '../../../src/core/budget';
import { reporters } from '../../../src/report';
import { mutatedStack } from '../../hardness/mutation';
import { Chance } from '../../hardness/random';
import { spoiltText, stacks } from './examples';
import { RAW, SECONDS, type Subject } from './subject';

function check(text: string) {
  const { manifests, findings } = parseManifests(text, 'fuzz.yaml');
  const budget = new Budget({ seconds: SECONDS, memory: 2 * 1024 ** 3, began: Date.now() });
  return checkStack(World.of(manifests), { earlier: findings, budget });
}

/** A finding without what it says of others. */
const keyOf = ({ rule, object, path, message }: Finding) => JSON.stringify([rule, object, path, message]);

const UNRELATED = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'unrelated', namespace: 'unrelated' },
  data: { a: 'b' },
});

function faultOfStack(text: string): string | undefined {
  const began = Date.now();
  const { findings, suppressed } = check(text);
  if (findings.some(({ rule }) => rule.endsWith('budget-spent')) || Date.now() - began > SECONDS * 1000)
    return 'it has no end';
  const raw = findings.flatMap(({ message, because, fix }) => [message, because, fix]).find((each) => RAW.test(each));
  if (raw !== undefined) return `a finding says: ${raw.slice(0, 200)}`;
  const context = { color: false, ascii: false, suppressed, catalogue: wholeCatalogue(), version: '0.0.0' };
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const counts = {
    json: JSON.parse(reporters.json(findings, context)).summary.errors,
    junit: Number(/ failures="(\d+)"/.exec(reporters.junit(findings, context))![1]),
    github: (reporters.github(findings, context).match(/^::error /gm) ?? []).length,
    sarif: JSON.parse(reporters.sarif(findings, context)).runs[0].results.filter(
      ({ level, suppressions }: { level: string; suppressions?: unknown }) =>
        level === 'error' && suppressions === undefined,
    ).length,
    markdown: (reporters.markdown(findings, context).match(/^\| error \|/gm) ?? []).length,
    pretty: Number(/^(\d+) errors?\b/m.exec(reporters.pretty(findings, context).split('\n\n').at(-1)!)?.[1] ?? 0),
  };
  const other = Object.entries(counts).find(([, count]) => count !== errors);
  if (other !== undefined) return `${other[0]} counts ${other[1]} errors of ${errors}`;
  if (JSON.stringify(check(text).findings) !== JSON.stringify(findings)) return 'a second check finds something else';
  if (parseManifests(text, 'fuzz.yaml').manifests.length > 0) {
    const more = new Set(check(`${text}\n---\n${UNRELATED}`).findings.map(keyOf));
    const lost = findings.find((finding) => finding.severity === 'error' && !more.has(keyOf(finding)));
    if (lost !== undefined) return `an unrelated object hides ${keyOf(lost).slice(0, 300)}`;
  }
  return undefined;
}

/** Without one of its objects. */
function withoutOne(text: string): string[] {
  let items: readonly JsonObject[];
  try {
    items = JSON.parse(text).items;
  } catch {
    return [];
  }
  return items.map((_, index) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: items.filter((_one, at) => at !== index) }),
  );
}

export const manifests: Subject = {
  make: (seed) => {
    const chance = new Chance(seed);
    const items = mutatedStack(chance.of(stacks).manifests, chance);
    return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  },
  fault: faultOfStack,
  smaller: withoutOne,
};

export const yaml: Subject = {
  make: (seed) => {
    const chance = new Chance(seed);
    return spoiltText(chance.of(stacks).text, chance);
  },
  fault: faultOfStack,
};
