/** `npm run stage -- corpus`: checks the stacks of upstream's own tests as they stand. An error on one has a known reason, or is ours. */
import { checkStack } from '../../../src/check';
import { compact } from '../../../src/core/json';
import { worldOf } from '../compare';
import { MODELS } from '../models';
import { reasonOf } from './reasons';
import type { UpstreamStack } from './stack';

/** Of stacks that nobody plays, and that upstream's own tests expect to fail. */
const EXPECTED_FAILURES: Readonly<Record<string, string>> = {
  'expectedfailures-analysis-run-failfast':
    'a list is indented wrongly and becomes the name of a field; no test applies it',
  'expectedfailures-experiment-invalid': "upstream's test expects that the controller refuses it",
};

/** A stack with errors, the text of each, and the reason where somebody knows it. */
export interface Refused {
  readonly stack: string;
  readonly errors: readonly string[];
  readonly reason?: string;
}

/** The stacks on which `check` reports errors. */
export function refusedIn(stacks: readonly UpstreamStack[], program: string): Refused[] {
  return stacks.flatMap((stack) => {
    const errors = errorsOf(stack, program);
    if (errors.length === 0) return [];
    const reason =
      EXPECTED_FAILURES[stack.name] ?? reasonOf({ release: program, stack: stack.name, verdict: 'differs' });
    return [{ stack: stack.name, errors, ...(reason !== undefined && { reason }) }];
  });
}

/** Prints how many stacks were checked and what was found; 1 where an error has no reason. */
export function checkCorpus(stacks: readonly UpstreamStack[], program: string): number {
  const refused = refusedIn(stacks, program);
  const unexplained = refused.filter(({ reason }) => reason === undefined);
  for (const { stack, errors, reason } of refused)
    process.stdout.write(`${stack}: ${reason ?? `no reason is known\n  ${errors.join('\n  ')}`}\n`);
  const objects = stacks.reduce((count, stack) => count + stack.objects.length, 0);
  process.stdout.write(
    `${program}: ${stacks.length} stacks of upstream's tests with ${objects} objects, ` +
      `${refused.length} with errors, ${unexplained.length} of them without a known reason\n`,
  );
  return stacks.length > 0 && unexplained.length === 0 ? 0 : 1;
}

function errorsOf({ name, objects }: UpstreamStack, program: string): string[] {
  const [controller = '', release = ''] = program.split('@');
  const model = MODELS[controller]!;
  const { kruiseVersion, argoVersion } = model.options(release);
  const options = compact({ kruiseVersion, argoVersion, isProven: () => true });
  const lab = { name, manifests: objects, story: [] };
  const { findings } = checkStack(worldOf(lab, release, model), options);
  return findings.flatMap(({ severity, rule, object, message }) =>
    severity === 'error' ? `${rule} ${object?.kind ?? ''}/${object?.name ?? ''}: ${message.split('\n')[0]}` : [],
  );
}
