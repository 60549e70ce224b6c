import type { ReadResult, World } from '../core';
import type { Budget } from '../core/budget';
import { toAbsolute } from '../files/paths';
import type { Io } from './io';

/** Everything that was named; standard input is read from the stream, so that a pipe may be slow. */
export async function readInputs(inputs: readonly string[], io: Io, budget?: Budget): Promise<ReadResult> {
  const { parseStream, STDIN } = await import('../core');
  const { readManifests } = await import('../files/manifests');
  const fromFiles = inputs.filter((input) => input !== '-');
  const here = io.cwd === process.cwd();
  const results: ReadResult[] = [
    ...(fromFiles.length > 0
      ? [
          readManifests(
            fromFiles.map((file) => (here ? file : toAbsolute(io, file))),
            budget && { budget },
          ),
        ]
      : []),
    ...(fromFiles.length < inputs.length ? [await parseStream(io.stdin, STDIN)] : []),
  ];
  const [first, ...others] = results;
  return {
    manifests: results.flatMap(({ manifests }) => manifests),
    findings: results.flatMap(({ findings }) => findings),
    sources: new Map(results.flatMap(({ sources }) => [...sources])),
    // What comes in by a pipe belongs to no folder.
    ...(others.length === 0 && first?.stacks !== undefined && { stacks: first.stacks }),
  };
}

/** The option for the namespace of objects that name none. */
export const NAMESPACE_OPTION = { namespace: { type: 'string', short: 'n' } } as const;

export const NAMESPACE_HELP =
  '  -n, --namespace <name>   the namespace of objects that name none, as for kubectl apply (default default)';

/** What was read, as one World. */
export async function worldOf({ manifests }: ReadResult, namespace: string | undefined): Promise<World> {
  const core = await import('../core');
  return core.World.of(manifests, { defaultNamespace: namespace });
}
