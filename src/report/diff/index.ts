import { html } from './html';
import { json } from './json';
import { markdown } from './markdown';
import { pretty } from './pretty';
import type { DiffReporter } from './reporter';

export type { DiffContext, DiffReporter } from './reporter';

/** The formats in which a difference is reported, by name. */
export const diffReporters = { pretty, json, markdown, html } as const satisfies Record<string, DiffReporter>;
