import { type Finding, findingTexts, type ObjectRef } from '../core/finding';
import { groupedBy } from '../core/grouped';
import type { Manifest } from '../core/manifest';
import type { RuleCatalogue } from '../core/rule';
import { escapeTerminalLine } from '../report/escape';
import type { ConstructPaths } from './construct-paths';
import type { ViolatingResource, Violation } from './context';

/** What violations are made with. */
export interface ViolationOptions {
  readonly manifests: readonly Manifest[];
  readonly pathOf: ConstructPaths;
  readonly catalogue: RuleCatalogue;
  /** A file as the report names it. */
  readonly shownFile: (file: string) => string;
}

/** A violation, and the paths of constructs by the names of its resources; undefined if it is not known. */
export interface NamedViolation {
  readonly violation: Violation;
  readonly paths: ReadonlyMap<string, string | undefined>;
}

/** Findings as cdk8s-cli reports them: those of a rule together as long as reason and fix are the same. */
export function violationsOf(findings: readonly Finding[], options: ViolationOptions): NamedViolation[] {
  const groups = groupedBy(findings, (finding) => {
    const { because, fix } = findingTexts(finding);
    return JSON.stringify([finding.rule, because, fix]);
  });
  return [...groups.values()].map((group) => {
    const { rule } = group[0]!;
    const { because, fix } = findingTexts(group[0]!);
    const title = options.catalogue.get(rule)?.title;
    const resources = groupedBy(group, (finding) => JSON.stringify([resourceOf(finding), finding.source?.file]));
    const places = [...resources.values()].map((of) => ({
      findings: of,
      manifest: manifestOf(of[0]!, options.manifests),
    }));
    return {
      violation: {
        ruleName: rule,
        recommendation: oneLine(title === undefined ? because : `${title}: ${because}`),
        fix: `${oneLine(fix)} (npx rollout-constructs explain ${rule})`,
        violatingResources: places.map((place) => resource(place, options)),
      },
      paths: pathsOf(places, options),
    };
  });
}

/** If resources share a name, such as two versions of one object, the path is ambiguous. */
function pathsOf(places: readonly Place[], { pathOf }: ViolationOptions): NamedViolation['paths'] {
  const paths = new Map<string, string | undefined>();
  for (const { findings, manifest } of places) {
    const name = resourceOf(findings[0]!);
    const path = manifest && pathOf(manifest);
    paths.set(name, paths.has(name) && paths.get(name) !== path ? undefined : path);
  }
  return paths;
}

interface Place {
  readonly findings: readonly Finding[];
  readonly manifest: Manifest | undefined;
}

function resource({ findings, manifest }: Place, { pathOf, shownFile }: ViolationOptions): ViolatingResource {
  const [first] = findings;
  const path = manifest && pathOf(manifest);
  const file = first!.source?.file ?? manifest?.sourceOf()?.file;
  return {
    resourceName: resourceOf(first!),
    manifestPath: file === undefined ? 'N/A' : oneLine(shownFile(file)),
    locations: findings.map((finding) => {
      const { source = manifest?.sourceOf() } = finding;
      const place = source && `${shownFile(source.file)}:${source.line}:${source.column}`;
      const step = finding.step === undefined ? undefined : `steps[${finding.step}]`;
      const construct = path === undefined ? '' : ` (construct ${path})`;
      const where = [place, finding.path, step, finding.request].filter(Boolean).join(', ');
      return oneLine(`${finding.severity} at ${where}: ${findingTexts(finding).message}${construct}`);
    }),
  };
}

/** `Ingress shop/web`; what is wrong with a file as a whole is of the file. */
function resourceOf({ object, source }: Finding): string {
  if (object === undefined) return oneLine(source?.file ?? 'the stack');
  const { kind, namespace, name } = object;
  return oneLine(namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`);
}

/** The manifest that a finding is about: of several of the same name, the one that the place lies in. */
function manifestOf({ object, source }: Finding, manifests: readonly Manifest[]): Manifest | undefined {
  if (object === undefined) return undefined;
  const same = manifests.filter(({ ref }) => isSame(ref, object));
  if (source === undefined) return same[0];
  const line = (manifest: Manifest) => manifest.sourceOf()?.line ?? 0;
  return same
    .filter((manifest) => manifest.sourceOf()?.file === source.file && line(manifest) <= source.line)
    .reduce<Manifest | undefined>(
      (near, each) => (near === undefined || line(each) >= line(near) ? each : near),
      undefined,
    );
}

function isSame(a: ObjectRef, b: ObjectRef): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.namespace === b.namespace &&
    (a.apiVersion === b.apiVersion || b.apiVersion === undefined)
  );
}

/** Names and values come from manifests, and the report goes to a terminal. */
function oneLine(text: string): string {
  return escapeTerminalLine(text.replace(/\s*\n\s*/g, ' '));
}
