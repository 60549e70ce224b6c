/** Helpers for the examples of rules. */
import type { RuleExample } from './rule';

/** Replaces parts of a text. A part that the text does not contain is a mistake in the example. */
export function edit(text: string, ...changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`the example does not hold ${JSON.stringify(from)}`);
    return edited.replace(from, () => to);
  }, text);
}

/** One example from several manifests. */
export const yaml = (...manifests: readonly string[]): RuleExample => ({
  language: 'yaml',
  text: manifests.join('---\n'),
});

/** The Service of most examples. */
export const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  selector: { app: web }
  ports: [{ port: 80 }]
`;
