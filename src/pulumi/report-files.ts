/** Writes the findings of a preview or an update into files, also where they fail it. */
import type { StackResult } from '../check';
import type { Finding } from '../core/finding';
import type { World } from '../core/world';
import { REPORT_VARIABLE, writeReport } from '../files/report-files';

// Loaded on first use, because most programs write no report.
const filesModule = () => require('../report/files') as typeof import('../report/files');

/** What the check of a stack has found. */
export interface StackReport {
  readonly world: World;
  readonly findings: readonly Finding[];
  readonly result: StackResult;
  /** Whether findings fail the preview. */
  readonly fails: boolean;
}

function targets() {
  const names = process.env[REPORT_VARIABLE] ?? '';
  return names === '' ? [] : filesModule().reportTargets(names, REPORT_VARIABLE);
}

/** Whether a report shows rehearsals, which are kept only then. */
export function showsRehearsals(): boolean {
  return targets().some((target) => filesModule().hasRehearsals(target));
}

/** Writes the reports that the variable asks for. Values that are not known yet, and secrets, are placeholders in them. */
export function writeStackReport({ world, findings, result, fails }: StackReport): void {
  const wanted = targets();
  if (wanted.length === 0) return;
  const { reportFiles, REJECTED } = filesModule();
  const { wholeCatalogue } = require('../check') as typeof import('../check');
  const { describeVersions } = require('../settings/cluster') as typeof import('../settings/cluster');
  const { packageVersion } = require('../files/package') as typeof import('../files/package');
  const context = {
    color: false,
    ascii: false,
    catalogue: wholeCatalogue(),
    version: packageVersion(),
    suppressed: result.suppressed,
    checkedFor: describeVersions(result.cluster),
    assumptions: result.cluster.assumptions,
  };
  for (const target of wanted) {
    const objects = world.manifests.map(({ object }) => object);
    const rejected = target.isFolder && fails ? [{ name: 'stack.k8s.yaml', objects }] : [];
    const files = reportFiles(target, { findings, rehearsals: result.rehearsals, context, rejected });
    writeReport({ files, ...(target.isFolder && { rejected: `${target.name}/${REJECTED}` }) });
  }
}
