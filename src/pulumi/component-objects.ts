/** The objects of a component, described once when the program runs and checked again as values become known. */
import { isDeepStrictEqual } from 'node:util';
import { pulumiRules } from '../check/pulumi-rules';
import type { Finding } from '../core/finding';
import { compact } from '../core/json';
import { Manifest } from '../core/manifest';
import { type AnyPropTable, type PropTable, pickProps } from '../core/props';
import { findingOf } from '../core/rule';
import { applySuppressions, type Suppression } from '../core/suppression';
import { World } from '../core/world';
import type { ObjectMeta } from '../kruise/api';
import type { KubernetesObject } from '../kubernetes/api';
import { cannotBeMade } from './args';
import { childNames } from './child-names';
import { isDeferred } from './deferred';
import type { MetadataArgs } from './inputs';
import { mentionsPlaceholder, OutputPlaceholders } from './output-placeholders';
import { References } from './references';
import { findingLines } from './report';
import { stringifiedIn } from './stringified';

/** The metadata of a component's main object. Its name defaults to the name of the component. */
export type NamedMetadata = Partial<ObjectMeta> & { readonly name: string };

/** How to build the objects of a component from its arguments. */
export interface ComponentDescription<Options> {
  /** `KruiseRollout` */
  readonly type: string;
  /** The name of the component. */
  readonly name: string;
  /** The arguments, which are checked, with Outputs and resources. */
  readonly args: object;
  /** The options among the arguments. The compiler checks that the table is complete. */
  readonly props: PropTable<Options>;
  /** Builds the objects, with the functions that the cdk8s constructs use. It throws if options contradict each other. */
  readonly describe: (options: Options, metadata: NamedMetadata) => readonly object[];
  /**
   * All problems of the options.
   * @default - the error that `describe` throws
   */
  readonly problems?: (options: Options, metadata: NamedMetadata) => readonly string[];
  /**
   * Findings in the objects of this component alone. An error stops the program before any resource is created.
   * @default - the objects are checked with the whole stack only
   */
  readonly findings?: (world: World, options: Options) => readonly Finding[];
  /**
   * Kinds that may have several objects.
   * @default - none
   */
  readonly several?: readonly string[];
  /** @default - none */
  readonly suppressions?: readonly Omit<Suppression, 'construct' | 'source'>[] | undefined;
}

/** The objects with the values known so far, and their findings. */
export interface KnownObjects {
  readonly findings: readonly Finding[];
  readonly manifests: readonly Manifest[];
}

/** The result of one description. */
interface Described {
  readonly objects: readonly KubernetesObject[];
  readonly findings: readonly Finding[];
  readonly problems: readonly string[];
  /** The error, if there are no objects. */
  readonly thrown?: readonly string[];
}

/** The objects of one component. */
export class ComponentObjects<Options extends object> {
  readonly placeholders: OutputPlaceholders;
  /** The resources that the arguments refer to. */
  readonly references = new References();
  /** The objects, with placeholders for Outputs. */
  readonly objects: readonly KubernetesObject[];
  /** Findings that do not stop the program. */
  readonly warnings: readonly Finding[];

  /** Throws one error with every problem of the plain values. */
  constructor(private readonly from: ComponentDescription<Options>) {
    const { name } = from;
    const props = from.props as object as AnyPropTable;
    const args = from.args as { readonly metadata?: MetadataArgs };
    const options = pickProps(args, props);
    this.placeholders = new OutputPlaceholders(
      this.references.resolve({ metadata: { name, ...compact(args.metadata ?? {}) }, ...options }),
    );
    const described = this.describe();
    const found = [...described.findings, ...this.ownFindings(described.objects)];
    const errors = found.filter(({ severity }) => severity === 'error');
    // Without objects the program cannot go on, even if the problem is about a placeholder.
    const problems = described.thrown
      ? [...described.problems, ...described.thrown]
      : described.problems.filter(isDecided);
    this.refuse(problems, errors);
    this.objects = described.objects;
    this.warnings = found;
  }

  /** `KruiseRollout:web`: the construct in findings and suppressions. */
  get id(): string {
    return `${this.from.type}:${this.from.name}`;
  }

  /** `KruiseRollout "web"` */
  get title(): string {
    return `${this.from.type} "${this.from.name}"`;
  }

  get type(): string {
    return this.from.type;
  }

  get name(): string {
    return this.from.name;
  }

  /** The names of the resources, one for each object. */
  get childNames(): readonly string[] {
    return this.namesOf(this.objects);
  }

  /** The objects as a World of their own. */
  get world(): World {
    return World.of(this.objects.map((object) => Manifest.of(object)));
  }

  /** The options with the values known so far, and placeholders for the others. */
  get options(): Options & { readonly metadata: NamedMetadata } {
    return this.placeholders.options as Options & { readonly metadata: NamedMetadata };
  }

  /** The objects with the values known so far, and all their findings. */
  known(): KnownObjects {
    const objects = this.placeholders.filled(this.objects) as readonly KubernetesObject[];
    const described = this.describe();
    const isDescribed = described.thrown === undefined && !described.problems.some(isDecided);
    const isKnown = this.placeholders.unknown.length === 0;
    const isOther = isKnown && isDescribed && !isDeepStrictEqual(plain(described.objects), plain(objects));
    const problems = [...new Set([...described.problems, ...(described.thrown ?? [])])].filter(isDecided);
    return {
      findings: [
        ...problems.map((problem) => this.finding('pulumi-value-refused', problem)),
        ...described.findings,
        ...this.ownFindings(objects),
        ...(isOther
          ? [this.finding('pulumi-value-decides-structure', this.differing(described.objects, objects))]
          : []),
      ],
      manifests: this.manifestsOf(objects),
    };
  }

  private refuse(problems: readonly string[], errors: readonly Finding[] = []): void {
    if (problems.length === 0 && errors.length === 0) return;
    const texts = [...new Set(problems)].map(explained);
    const lines = [...texts, ...errors.map((finding) => findingLines(finding).join('\n  '))];
    throw cannotBeMade(this.title, lines);
  }

  private describe(): Described {
    const { describe, problems = () => [] } = this.from;
    const { metadata, ...rest } = this.options;
    const options = rest as unknown as Options;
    const findings = [...stringifiedIn(this.options)].map((path) =>
      this.finding('pulumi-output-in-text', `${path} holds the text of a warning instead of a value`, path),
    );
    try {
      const found = problems(options, metadata);
      // With invalid options, `describe` could throw a less helpful error.
      if (found.some(isDecided)) return { problems: found, findings, objects: [] };
      const described = this.placeholders.filled(this.placeholders.hide(describe(options, metadata)));
      return { problems: found, findings, objects: described as readonly KubernetesObject[] };
    } catch (error) {
      return { problems: [], findings, objects: [], thrown: [error instanceof Error ? error.message : String(error)] };
    }
  }

  private ownFindings(objects: readonly KubernetesObject[]): Finding[] {
    const { findings = () => [], suppressions = [] } = this.from;
    const world = World.of(this.manifestsOf(objects));
    const found = findings(world, this.options).filter((finding) => !isDeferred(finding, world));
    if (found.length === 0) return [];
    // Loaded on first use: it loads the rules of every system.
    const { wholeCatalogue } = require('../check') as typeof import('../check');
    return [
      ...applySuppressions(found, { world, catalogue: wholeCatalogue(), checked: [], suppressions }).findings,
    ].filter((finding) => found.includes(finding));
  }

  private manifestsOf(objects: readonly KubernetesObject[]): Manifest[] {
    const names = this.namesOf(objects);
    return objects.map((object, index) =>
      Manifest.of(plain(object) as object, { construct: `${this.id}/${names[index]}` }),
    );
  }

  private namesOf(objects: readonly KubernetesObject[]): string[] {
    return childNames(this.name, objects, this.from.several ?? []);
  }

  private finding(rule: keyof typeof pulumiRules, message: string, path?: string): Finding {
    return findingOf(pulumiRules[rule], {
      message: `${this.title}: ${message}`,
      construct: this.id,
      ...(path === undefined ? {} : { path }),
    });
  }

  private differing(described: readonly KubernetesObject[], objects: readonly KubernetesObject[]): string {
    const kinds = (list: readonly KubernetesObject[]) => list.map(({ kind }) => kind).join(', ');
    const paths = this.placeholders.all.map(({ path }) => path).join(', ');
    const other = objects.find((object, index) => !isDeepStrictEqual(plain(object), plain(described[index])));
    const built =
      described.length === objects.length ? `the ${other?.kind}` : `${kinds(objects)} instead of ${kinds(described)}`;
    return `with the values of ${paths}, ${built} would be built otherwise`;
  }
}

/** The objects of any component. */
export type AnyComponentObjects = Omit<ComponentObjects<object>, 'options'>;

/** Whether a problem is about known values only. */
function isDecided(problem: string): boolean {
  return !mentionsPlaceholder(problem);
}

function explained(problem: string): string {
  if (!mentionsPlaceholder(problem)) return problem;
  return `${problem} (an Output stands for what begins with "known-later": this has to be decided before its value is known, so give a plain string)`;
}

/** A copy without undefined fields. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
}
