import type { Rehearsal } from '../../core/rehearsal-result';
import { escapeJson } from '../escape';
import { countFindings } from '../reporter';
import { sealed, shardPart } from '../shard';
import type { RehearsalContext } from './reporter';

/** For other tools, with all data. Later versions only add fields. */
export function json(rehearsals: readonly Rehearsal[], context: RehearsalContext): string {
  const { findings, suppressed = [] } = context;
  const summary = countFindings(findings, context);
  const report = {
    ok: summary.errors === 0 && (context.shard !== undefined || rehearsals.some(({ requests }) => requests.length > 0)),
    summary,
    ...((context.assumptions ?? []).length === 0 ? {} : { assumed: context.assumptions }),
    rehearsals,
    findings,
    suppressed: suppressed.map(({ finding, ...acceptance }) => ({ ...acceptance, finding })),
    ...shardPart(findings, context),
  };
  return `${escapeJson(JSON.stringify(sealed(report), null, 2))}\n`;
}
