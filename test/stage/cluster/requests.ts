/** What a controller asks of the API server: every verb and resource, from the audit log. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sorted } from '../sorted';

/** The verbs that were used, by resource: `services`, `rollouts.rollouts.kruise.io/status`. */
export type Requests = Readonly<Record<string, readonly string[]>>;

const LOG = 'audit.log';

/** The flags that let the API server log the requests of ServiceAccounts: controllers of the cluster have other users. */
export function auditFlags(folder: string): string[] {
  const policy = join(folder, 'audit-policy.json');
  const rules = [{ level: 'Metadata', userGroups: ['system:serviceaccounts'] }, { level: 'None' }];
  writeFileSync(
    policy,
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules }),
  );
  return ['--audit-policy-file', policy, '--audit-log-path', join(folder, LOG)];
}

/** What the log of a stage has. */
export function requestsIn(folder: string): Requests {
  const verbs = new Map<string, Set<string>>();
  for (const line of readFileSync(join(folder, LOG), 'utf8').split('\n')) {
    if (line === '') continue;
    const { verb, objectRef } = JSON.parse(line);
    // Discovery is allowed to everybody.
    if (objectRef?.resource === undefined) continue;
    const { resource, apiGroup, subresource } = objectRef;
    const name = `${resource}${apiGroup ? `.${apiGroup}` : ''}${subresource ? `/${subresource}` : ''}`;
    verbs.set(name, (verbs.get(name) ?? new Set()).add(verb));
  }
  return union(Object.fromEntries([...verbs].map(([name, used]) => [name, [...used]])));
}

/** The file of the requests that a release was seen to make. */
export function requestsFile(controller: string, release: string): string {
  return join(__dirname, '..', 'requests', controller, `${release}.json`);
}

/** Adds what was seen now to what was seen before: a play may have few labs. */
export function addRequests(file: string, seen: Requests): void {
  const before: Requests = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(dirname(file), { recursive: true });
  const lines = Object.entries(union(before, seen)).map(([name, verbs]) => `  "${name}": ${JSON.stringify(verbs)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

function union(...all: readonly Requests[]): Requests {
  const names = new Set(all.flatMap((each) => Object.keys(each)));
  return sorted(
    Object.fromEntries([...names].map((name) => [name, [...new Set(all.flatMap((each) => each[name] ?? []))].sort()])),
  );
}
