/** Runs one script on one input; returns what it returned, as JSON text. */
export function runNaively(source: string, obj: unknown): string;
