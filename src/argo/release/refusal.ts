/** Releases of Argo Rollouts that are not rehearsed, because the cluster never gets to play them. */
import { formatPath, type Manifest, type World } from '../../core';
import { fieldText } from '../../core/schema';
import type { Remark } from '../../release';
import { admitArgoRollout, allProblems } from '../admission';
import { isNeverRead } from '../admission/decode';
import { clusterBeside, placed } from '../admission/findings';
import type { ArgoProblem } from '../admission/problem';
import { ArgoRolloutsVersion } from '../version';

/** The remark about a Rollout that the API server or the controller refuses; undefined if both accept it. */
export function refusalOf(
  world: World,
  manifest: Manifest,
  version: ArgoRolloutsVersion = ArgoRolloutsVersion.LATEST,
): Remark | undefined {
  const known = world.memo(earlierRefusals, version);
  if (!known.has(manifest)) known.set(manifest, readRefusal(world, manifest, version));
  return known.get(manifest);
}

/** What was found before, because a rehearsal asks for each Rollout several times. */
function earlierRefusals(): Map<Manifest, Remark | undefined> {
  return new Map();
}

function readRefusal(world: World, manifest: Manifest, version: ArgoRolloutsVersion): Remark | undefined {
  const cluster = { ...clusterBeside(world, manifest), version };
  const verdict = admitArgoRollout(placed(manifest, world), cluster);
  if (verdict.allowed) return undefined;
  const [error] = verdict.schemaErrors;
  if (error !== undefined) {
    const text = `${fieldText(error.path)}: ${error.detail || error.type}`;
    return refused('the API server refuses the Rollout', text, error.path, BY_API_SERVER);
  }
  const problems = allProblems(verdict.object, cluster).filter(({ severity }) => severity === undefined);
  const mistake = problems.find(({ absent, path }) => absent === undefined && !isNeverRead(path, verdict.problems));
  if (mistake !== undefined) return refusedBy(mistake);
  const missing = problems.find((problem) => isNeeded(problem));
  return missing && incomplete(missing, world.namespaceOf(manifest));
}

/** Whether nothing can be rehearsed without the object that is missing: an Ingress of an ALB only ends the rehearsal. */
function isNeeded({ absent, path }: ArgoProblem): boolean {
  if (absent?.kind === 'Ingress') return path.includes('nginx');
  return ['Service', 'VirtualService', 'DestinationRule'].includes(absent?.kind ?? '');
}

const BY_API_SERVER = 'an object that the API server refuses never reaches the controller';
const INVALID_SPEC = 'the controller sets the condition InvalidSpec and changes nothing until the Rollout is corrected';
const PANIC = 'the controller panics, recovers, and tries this Rollout again and again; it changes nothing';

function refusedBy({ class: kind, path, text, step }: ArgoProblem): Remark {
  const because = kind === 'crash' ? PANIC : INVALID_SPEC;
  return { ...refused('Argo refuses the Rollout', `${formatPath(path)}: ${text}`, path, because), ...stepOf(step) };
}

function refused(what: string, text: string, path: Remark['path'], because: string): Remark {
  return {
    rule: 'rehearsal-refused',
    message: `${what}, so it is not rehearsed: ${text}`,
    ...(path && { path }),
    because,
  };
}

function incomplete({ path, text, absent, step }: ArgoProblem, namespace: string): Remark {
  return {
    rule: 'rehearsal-incomplete',
    message: `not rehearsed: ${formatPath(path)}: ${text} in these manifests`,
    path,
    because: 'Argo changes nothing while an object that the Rollout names does not exist',
    absent: [{ ...absent!, namespace }],
    ...stepOf(step),
  };
}

function stepOf(step: number | undefined): Pick<Remark, 'step'> {
  return step === undefined ? {} : { step };
}
