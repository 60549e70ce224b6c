import { html } from './html';
import { json } from './json';
import { markdown } from './markdown';
import { pretty } from './pretty';
import type { RehearsalReporter } from './reporter';

export type { RehearsalContext, RehearsalReporter } from './reporter';

/** The formats in which rehearsals are reported, by name. */
export const rehearsalReporters = { pretty, json, markdown, html } as const satisfies Record<string, RehearsalReporter>;
