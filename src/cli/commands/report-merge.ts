import { packageVersion } from '../../files/package';
import type { RehearsalContext } from '../../report/rehearsal/reporter';
import { exitCodeOf } from '../check/exit-code';
import { readMaxWarnings } from '../check/options';
import { type Command, oneOf, parseOptions } from '../command';
import { type Io, styleOf } from '../io';
import { writeReport } from '../output';
import type { MergedReport } from '../report/merge';

const command: Command = {
  name: 'report merge',
  usage: `
usage: rollout-constructs report merge <report.json...> [options]

       rollout-constructs check deploy --shard 1/2 --format json --output shard-1.json
       rollout-constructs check deploy --shard 2/2 --format json --output shard-2.json
       rollout-constructs report merge shard-1.json shard-2.json --format sarif

Reads the JSON reports of check, or those of rehearse, and writes what one run without shards would have written. What
several reports have is reported once. All shards have to be there.

Options
  --format <format>        of check: pretty, json, sarif, junit, github or markdown; of rehearse: pretty, json, markdown
                           or html (default pretty)
  --output <file>          write the report there, and a readable one to stdout
  --max-warnings <n>       exit with 1 when there are more warnings than that
  --no-color               no colours; so does the variable NO_COLOR

Exit codes: as those of check and rehearse: 0 no errors; 1 errors, or more warnings than allowed; 2 wrong use, a report
that is missing or cannot be read, or input that a shard could not read.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        format: { type: 'string', default: 'pretty' },
        output: { type: 'string' },
        'max-warnings': { type: 'string' },
        'no-color': { type: 'boolean', default: false },
      },
      { min: 1, max: Number.POSITIVE_INFINITY, what: 'the JSON reports of shards' },
    );
    const maxWarnings = readMaxWarnings(values['max-warnings']) ?? Number.POSITIVE_INFINITY;
    const { mergeReports } = await import('../report/merge');
    const { readReport } = await import('../report/read-report');
    const merged = mergeReports([...new Set(positionals)].map((name) => readReport(name, io)));
    const print = printerOf(merged, values.format, io, values['no-color']);
    await writeReport(print, values.output, io);
    const { findings, objects } = merged;
    return exitCodeOf(findings, { maxWarnings, isEmpty: objects === 0, all: findings });
  },
};

export default command;

/** Writes the report in the format that was asked for, plain where it goes into a file. */
function printerOf(merged: MergedReport, format: string, io: Io, noColor: boolean) {
  const { findings, suppressed, objects, checkedFor, assumed, sources, rehearsals } = merged;
  const { wholeCatalogue } = require('../../check') as typeof import('../../check');
  const { reporters } = require('../../report') as typeof import('../../report');
  const { rehearsalReporters } = require('../../report/rehearsal') as typeof import('../../report/rehearsal');
  const context: RehearsalContext = {
    ...styleOf(io, noColor),
    findings,
    suppressed,
    sources,
    ...(rehearsals === undefined ? { catalogue: wholeCatalogue() } : {}),
    version: packageVersion(),
    ...(objects === undefined ? {} : { objects }),
    ...(checkedFor === undefined ? {} : { checkedFor }),
    ...(assumed === undefined ? {} : { assumptions: assumed }),
  };
  const plain = { ...context, color: false, ascii: false };
  if (rehearsals !== undefined) {
    const name = oneOf('--format', format, Object.keys(rehearsalReporters) as (keyof typeof rehearsalReporters)[]);
    return {
      asked: (isPlain: boolean) => rehearsalReporters[name](rehearsals, isPlain ? plain : context),
      pretty: () => rehearsalReporters.pretty(rehearsals, context),
    };
  }
  const name = oneOf('--format', format, Object.keys(reporters) as (keyof typeof reporters)[]);
  return {
    asked: (isPlain: boolean) => reporters[name](findings, isPlain ? plain : context),
    pretty: () => reporters.pretty(findings, context),
  };
}
