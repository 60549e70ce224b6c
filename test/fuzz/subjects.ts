/** What is fuzzed: how an input is made of a seed, and what must hold for every input, however odd. */
import { checkStack, ruleGroups, wholeCatalogue } from '../../src/check';
import { usedMemory } from '../../src/cli/memory';
import { type Finding, type JsonObject, parseManifests, World } from '../../src/core';
import { Budget } from '../../src/core/budget';
import { checkScript } from '../../src/kruise/scripts/checks';
import { reporters } from '../../src/report';
import { checkedConfig } from '../../src/settings/config';
import { UserError } from '../../src/settings/user-error';
import { HOSTILE } from '../hardness/hostile-texts';
import { mutated, mutatedStack } from '../hardness/mutation';
import { CONSTRUCTS, outcomeOf, spoilt } from '../hardness/props';
import { Chance } from '../hardness/random';

/** One kind of input. */
export interface Subject {
  /** The input of a seed, as text. */
  readonly make: (seed: number) => string;
  /** What does not hold for the input; undefined if all does. */
  readonly fault: (input: string) => string | undefined;
  /** Smaller inputs to try instead of one with a fault. */
  readonly smaller?: (input: string) => readonly string[];
}

/** A check that takes longer than this has no end that people wait for. */
const SECONDS = 20;

const examples = ruleGroups
  .flatMap(({ rules }) => rules)
  .flatMap(({ failing, corrected }) => [failing, corrected])
  .filter(({ text }) => text.trim() !== '');
const ofLanguage = (language: string) => examples.flatMap((one) => (one.language === language ? [one.text] : []));
const stacks = ofLanguage('yaml').map((text) => ({ text, manifests: parseManifests(text, 'example.yaml').manifests }));
const scripts = ofLanguage('lua');

/** What an engine, and not we, would say. Lua says that `__unm` is undefined. */
const RAW =
  /(?<!__\w+ )\bundefined\b|\[object |\bNaN\b|Cannot (read|set|convert|destructure)|is not (a function|iterable)|call stack/;

function check(text: string) {
  const { manifests, findings } = parseManifests(text, 'fuzz.yaml');
  const budget = new Budget({ seconds: SECONDS, memory: 2 * 1024 ** 3, began: Date.now() }, usedMemory);
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

function spoiltText(text: string, chance: Chance): string {
  let spoilt = text;
  for (let times = 1 + chance.below(4); times > 0; times--) {
    const [a, b] = [chance.below(spoilt.length + 1), chance.below(spoilt.length + 1)].sort((x, y) => x - y) as [
      number,
      number,
    ];
    const kind = chance.below(5);
    const part = spoilt.slice(a, Math.min(b, a + 200));
    if (kind === 0) spoilt = spoilt.slice(0, a) + spoilt.slice(a + part.length);
    else if (kind === 1) spoilt = spoilt.slice(0, b) + part + spoilt.slice(b);
    else if (kind === 2) spoilt = spoilt.slice(0, a) + chance.of(HOSTILE) + spoilt.slice(a);
    else if (kind === 3)
      spoilt = spoilt.slice(0, a) + String.fromCodePoint(chance.below(0x2fff) + 1) + spoilt.slice(a + 1);
    else
      spoilt =
        spoilt.slice(0, a) +
        chance.of(['(', ')', '[', ']', '{', '}', '"', "'", '*', '&', '\n', '- ', ': ', '\\', '#']) +
        spoilt.slice(a);
  }
  return spoilt;
}

/** Runs what may refuse its input with a sentence, and nothing else. */
function refusal(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof UserError && !RAW.test(error.message)) return undefined;
    return `throws ${String(error).slice(0, 300)}`;
  }
}

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  manifests: {
    make: (seed) => {
      const chance = new Chance(seed);
      const items = mutatedStack(chance.of(stacks).manifests, chance);
      return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    },
    fault: faultOfStack,
    smaller: withoutOne,
  },
  yaml: {
    make: (seed) => {
      const chance = new Chance(seed);
      return spoiltText(chance.of(stacks).text, chance);
    },
    fault: faultOfStack,
  },
  lua: {
    make: (seed) => {
      const chance = new Chance(seed);
      return spoiltText(chance.of(scripts), chance);
    },
    fault: (source) => {
      const began = Date.now();
      const found = () => checkScript({ source, target: { provider: 'ingress', classType: 'mine' } });
      const first = found();
      if (Date.now() - began > SECONDS * 1000) return 'it has no end';
      const raw = first.find(({ message, rule }) => RAW.test(message) && !rule.startsWith('lua-'));
      return raw === undefined ? undefined : `a finding says: ${raw.message}`;
    },
  },
  props: {
    make: (seed) => String(seed),
    fault: (seed) => {
      const chance = new Chance(Number(seed));
      const each = chance.of(CONSTRUCTS);
      let about = '';
      const outcome = outcomeOf(each, (chart) => {
        const changed = spoilt(each.props(chart), chance, 'wrong');
        about = changed.about;
        return changed.props;
      });
      const isRaw =
        typeof outcome !== 'string' &&
        (outcome instanceof TypeError ||
          /Cannot (read|set|convert|destructure)|is not (a function|iterable)/.test(outcome.message));
      return isRaw ? `${each.name} ${about}: ${outcome.message.slice(0, 200)}` : undefined;
    },
  },
  config: {
    make: (seed) => {
      const chance = new Chance(seed);
      const config = {
        files: ['a'],
        kruiseVersion: '0.6',
        external: [{ kind: 'A', name: 'b' }],
        rules: { 'alb-scheme': 'off' },
        suppressions: [{ rule: 'x', reason: 'y' }],
        maxWarnings: 0,
        probes: ['GET /'],
      };
      return JSON.stringify(mutated(mutated(config as never, chance), chance));
    },
    fault: (text) => refusal(() => checkedConfig(JSON.parse(text), 'fuzz.json')),
  },
};
