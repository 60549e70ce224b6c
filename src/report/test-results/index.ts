import { github } from './github';
import { json } from './json';
import { junit } from './junit';
import { pretty } from './pretty';
import type { TestReporter } from './reporter';
import { tap } from './tap';

export type { TestReportContext, TestReporter } from './reporter';

/** The formats of a test report, by name. */
export const testReporters = { pretty, json, junit, github, tap } as const satisfies Record<string, TestReporter>;
