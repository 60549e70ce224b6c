/** What the examples of rules are made of. */
import type { RuleExample } from './rule';

/** The text with one place changed; a place that is not there is a mistake in the example. */
export function edit(text: string, ...changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`the example does not hold ${JSON.stringify(from)}`);
    return edited.replace(from, () => to);
  }, text);
}

/** Several manifests as one example. */
export const yaml = (...manifests: readonly string[]): RuleExample => ({
  language: 'yaml',
  text: manifests.join('---\n'),
});

/** The Service that most examples are about. */
export const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  selector: { app: web }
  ports: [{ port: 80 }]
`;
