/** Reports of shards that somebody has edited: merged as they are, or refused with one sentence. */
import { checkStack, wholeCatalogue } from '../../../src/check';
import { mergeReports } from '../../../src/cli/report/merge';
import { reportOf } from '../../../src/cli/report/read-report';
import { World } from '../../../src/core';
import { isJsonObject } from '../../../src/core/json';
import { reporters } from '../../../src/report';
import { digestOf } from '../../../src/report/shard';
import { mutated } from '../../hardness/mutation';
import { Chance } from '../../hardness/random';
import { stacks } from './examples';
import { RAW, refusal, type Subject } from './subject';

const known = new Map<number, string>();

/** The JSON report of one of the examples, as the only shard. */
function reportOfStack(index: number): string {
  const text = known.get(index) ?? written(index);
  known.set(index, text);
  return text;
}

function written(index: number): string {
  const { findings, suppressed } = checkStack(World.of(stacks[index]!.manifests));
  const shard = { index: 1, total: 1, ifAll: [] };
  return reporters.json(findings, { ...CONTEXT, suppressed, shard, sources: new Map() });
}

const CONTEXT = { color: false, ascii: false, catalogue: wholeCatalogue(), version: '0.0.0' };

export const reports: Subject = {
  make: (seed) => {
    const chance = new Chance(seed);
    const report = mutated(JSON.parse(reportOfStack(chance.below(stacks.length))), chance);
    if (!isJsonObject(report) || !isJsonObject(report.shard)) return JSON.stringify(report);
    // Whoever can edit a report can also make its digest: its shape is checked all the same.
    const isSealed = chance.oneIn(2);
    return JSON.stringify(
      isSealed ? { ...report, shard: { ...report.shard, digest: digestOf(report as { shard: object }) } } : report,
    );
  },
  fault: (text) => {
    let printed: readonly string[] = [];
    return refusal(() => {
      const merged = mergeReports([reportOf(text, 'fuzz.json')]);
      const { findings, suppressed, sources } = merged;
      const context = { ...CONTEXT, suppressed, sources };
      const write = (format: keyof typeof reporters) => reporters[format](findings, context);
      // The description of a rule may say NaN.
      const { results } = JSON.parse(write('sarif')).runs[0];
      printed = [JSON.stringify(results), ...(['pretty', 'junit', 'github', 'markdown'] as const).map(write)];
    }).then((fault) => fault ?? said(printed, text));
  },
};

/** A word of the engine that the report itself does not have. */
function said(printed: readonly string[], text: string): string | undefined {
  const raw = printed.flatMap((each) => RAW.exec(each)?.[0] ?? []).find((word) => !text.includes(word));
  return raw === undefined ? undefined : `prints ${raw}`;
}
