import { github } from './github';
import { json } from './json';
import { junit } from './junit';
import { markdown } from './markdown';
import { pretty } from './pretty';
import type { Reporter } from './reporter';
import { sarif } from './sarif';

export {
  countFindings,
  type FindingCounts,
  type ReportContext,
  type Reporter,
  summaryOf,
} from './reporter';

/** The formats in which findings are reported, by name. */
export const reporters = { pretty, json, junit, github, markdown, sarif } as const satisfies Record<string, Reporter>;
