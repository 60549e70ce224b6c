import type { Finding } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { keyedBy } from '../../core/keyed';
import type { Manifest } from '../../core/manifest';
import { formatPath, type Path, valueAt } from '../../core/path';
import { checkObject, type StructuralSchema, schemaFindings } from '../../core/schema';
import type { World } from '../../core/world';
import { API_GROUP } from '../api';
import { API_KINDS, type ApiKind, apiSchemaOf, apiVersionsOf } from '../api/schema';
import { KruiseRolloutVersion } from '../version';
import { type AdmissionOptions, admitRollout, webhookProblems, workloadOf } from './admit';
import { type DecodeProblem, undecodable } from './decode';
import type { AdmissionProblem } from './problem';
import { admissionRules } from './rules';

/**
 * Reports everything that the API server and the controller's webhook would refuse or drop in the Kruise Rollouts objects
 * of a World. Includes problems that the webhook does not report because it stops at an earlier one.
 *
 * @example admissionFindings(World.of(readManifests(['deploy']).manifests))
 */
export function admissionFindings(world: World, options: AdmissionOptions = {}): Finding[] {
  const manifests = world.manifests.filter(({ group }) => group === API_GROUP);
  return manifests.flatMap((manifest) => findingsOf(manifest, world, options));
}

function findingsOf(manifest: Manifest, world: World, options: AdmissionOptions): Finding[] {
  const { version = KruiseRolloutVersion.LATEST } = options;
  const schema = apiSchemaOf(manifest, version);
  if (schema === undefined) return [unknownKind(manifest, version)];
  return manifest.kind === 'Rollout'
    ? rolloutFindings(manifest, world, options)
    : otherFindings(manifest, schema, version);
}

function otherFindings(manifest: Manifest, schema: StructuralSchema, version: KruiseRolloutVersion): Finding[] {
  const { object, ...result } = checkObject(manifest.object, schema);
  const isConverted = apiVersionsOf(manifest.kind as ApiKind, version).at(-1) !== manifest.version;
  const isReadable = result.errors.length === 0 && isConverted;
  return [...schemaFindings(manifest, result), ...(isReadable ? conversionFindings(manifest, object, schema) : [])];
}

/** The API server stores objects in the newest version, to which the webhook converts them. */
function conversionFindings(manifest: Manifest, object: JsonObject, schema: StructuralSchema): Finding[] {
  const tooLarge = undecodable(object, schema);
  if (tooLarge !== undefined) return [outOfRange(manifest, tooLarge)];
  const path = ['spec', 'targetReference', 'workloadRef'];
  return manifest.kind === 'BatchRelease' && valueAt(object, path) === undefined ? [crash(manifest, path)] : [];
}

function rolloutFindings(manifest: Manifest, world: World, options: AdmissionOptions): Finding[] {
  const others = rolloutsBefore(manifest, world);
  const cluster = { existing: others.map(({ placed }) => placed) };
  const verdict = admitRollout(manifest.object, cluster, options);
  const { unknown, nulls } = verdict;
  const errors = !verdict.allowed && verdict.by === 'schema' ? verdict.errors : [];
  const written = schemaFindings(manifest, { unknown, nulls, errors });
  if (verdict.allowed || verdict.by === 'kind') return written;
  switch (verdict.by) {
    case 'webhook':
      return [...written, ...verdict.problems.map((problem) => problemFinding(manifest, problem, others))];
    case 'crash':
      return [...written, crash(manifest, ['spec', 'objectRef', 'workloadRef'])];
    default: {
      const tooLarge = verdict.by === 'decode' ? [outOfRange(manifest, verdict.problem)] : [];
      const refused = [...errors.map(({ path }) => path), ...(verdict.by === 'decode' ? [verdict.problem.path] : [])];
      const more = webhookProblems(verdict.object, cluster, options).filter(
        ({ path }) => !refused.some((one) => overlaps(one, path)),
      );
      return [...written, ...tooLarge, ...more.map((problem) => problemFinding(manifest, problem, others))];
    }
  }
}

/** Whether one path contains the other. */
function overlaps(a: Path, b: Path): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.every((part, index) => part === long[index]);
}

/** A Rollout in the World, with an explicit namespace. */
interface Placed {
  readonly manifest: Manifest;
  readonly placed: JsonObject;
}

const byWorkload = keyedBy<Manifest>(({ object }) => workloadKeys(object));

function workloadKeys(rollout: JsonObject): string[] {
  const ref = workloadOf(rollout);
  return ref === undefined ? [] : [`${ref.apiVersion}/${ref.kind}/${ref.name}`];
}

/**
 * The Rollouts of the same workload before this one. Of two Rollouts for one workload, only the second in the World's order
 * gets a finding.
 */
function rolloutsBefore(manifest: Manifest, world: World): Placed[] {
  const list = world.list(manifest.groupKind, world.namespaceOf(manifest));
  const all = workloadKeys(manifest.object).flatMap((key) => byWorkload(list, key));
  const before = all.slice(0, all.indexOf(manifest));
  // The webhook compares the namespace, which may be missing in the objects.
  return before.map((one) => ({
    manifest: one,
    placed: { ...one.object, metadata: { name: one.name, namespace: manifest.namespace ?? 'default' } },
  }));
}

function problemFinding(manifest: Manifest, problem: AdmissionProblem, others: readonly Placed[]): Finding {
  const { rule, path, text, fix, step } = problem;
  const other =
    rule === 'rollout-workload-taken' ? others.find(({ manifest: { name } }) => text.includes(`"${name}"`)) : undefined;
  return manifest.finding(admissionRules[rule], {
    path,
    message: `${formatPath(path)}: ${text}`,
    ...(fix === undefined ? {} : { fix }),
    ...(step === undefined ? {} : { step }),
    ...(other === undefined ? {} : { related: relatedOf(other.manifest) }),
  });
}

function relatedOf(other: Manifest): NonNullable<Finding['related']> {
  const source = other.sourceOf();
  const message = `Rollout "${other.name}" is declared here`;
  return source === undefined ? { message, object: other.ref } : { message, object: other.ref, source };
}

function outOfRange(manifest: Manifest, { path, value, bits }: DecodeProblem): Finding {
  const limit = bits === 32 ? '2147483647' : '9223372036854775807';
  return manifest.finding(admissionRules['rollout-number-out-of-range'], {
    path,
    message: `${formatPath(path)}: ${value} does not fit into ${bits} bits`,
    fix: `use a number up to ${limit}`,
  });
}

function crash(manifest: Manifest, path: Path): Finding {
  return manifest.finding(admissionRules['rollout-crashes-webhook'], {
    path,
    message: `${formatPath(path)} is missing, which makes the webhook panic`,
  });
}

function unknownKind(manifest: Manifest, version: KruiseRolloutVersion): Finding {
  const { kind, apiVersion } = manifest;
  const served = API_KINDS.includes(kind as ApiKind) ? apiVersionsOf(kind as ApiKind, version) : [];
  return manifest.finding(admissionRules['kruise-kind-unknown'], {
    path: served.length > 0 ? ['apiVersion'] : ['kind'],
    message: `Kruise Rollouts ${version.version} has no ${kind} in ${apiVersion}`,
    fix:
      served.length > 0
        ? `use apiVersion ${served.map((one) => `${API_GROUP}/${one}`).join(' or ')}`
        : `use one of the kinds ${API_KINDS.filter((one) => apiVersionsOf(one, version).length > 0).join(', ')}`,
  });
}
