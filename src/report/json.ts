import type { Finding } from '../core/finding';
import { escapeJson } from './escape';
import { countFindings, type ReportContext } from './reporter';
import { sealed, shardPart } from './shard';

/** For other tools. Later versions only add fields; fields that a finding does not have are left out. */
export function json(findings: readonly Finding[], context: ReportContext): string {
  const summary = countFindings(findings, context);
  const report = {
    ok: summary.errors === 0,
    summary,
    ...(context.objects === undefined ? {} : { objects: context.objects }),
    ...(context.checkedFor === undefined ? {} : { checkedFor: context.checkedFor }),
    ...((context.assumptions ?? []).length === 0 ? {} : { assumed: context.assumptions }),
    ...(context.stacks === undefined ? {} : { stacks: context.stacks }),
    ...((context.differences ?? []).length === 0 ? {} : { differences: context.differences }),
    findings: findings.map(findingFields),
    suppressed: (context.suppressed ?? []).map(({ finding, ...acceptance }) => ({
      ...acceptance,
      finding: findingFields(finding),
    })),
    ...shardPart(findings, context),
  };
  return `${escapeJson(JSON.stringify(sealed(report), null, 2))}\n`;
}

const FIELDS = [
  'rule',
  'severity',
  'message',
  'because',
  'fix',
  'docs',
  'object',
  'path',
  'source',
  'related',
  'construct',
  'step',
  'request',
  'cause',
  'lowered',
] as const satisfies readonly (keyof Finding)[];

/** A finding with its fields in a fixed order. */
export function findingFields(finding: Finding) {
  return Object.fromEntries(FIELDS.map((field) => [field, finding[field]]));
}
