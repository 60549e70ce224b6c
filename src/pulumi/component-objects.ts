/** The objects of a component, described once when the program runs and checked again as values become known. */
import { isDeepStrictEqual } from 'node:util';
import { RunError } from '@pulumi/pulumi';
import { pulumiRules } from '../check/pulumi-rules';
import type { Finding } from '../core/finding';
import { compact } from '../core/json';
import { Manifest } from '../core/manifest';
import { type AnyPropTable, dataProblems, type PropTable, pickProps, propProblems } from '../core/props';
import { findingOf } from '../core/rule';
import { applySuppressions, type Suppression } from '../core/suppression';
import { World } from '../core/world';
import type { ObjectMeta } from '../kruise/api';
import type { KubernetesObject } from '../kubernetes/api';
import { childNames } from './child-names';
import { isDeferred } from './deferred';
import type { MetadataArgs } from './inputs';
import { mentionsPlaceholder, OutputPlaceholders } from './output-placeholders';
import { References } from './references';
import { findingLines } from './report';
import { stringifiedIn } from './stringified';

/** The metadata of a component's main object, whose name is that of the component unless another one is given. */
export type NamedMetadata = Partial<ObjectMeta> & { readonly name: string };

/** How the objects of a component follow from its arguments. */
export interface ComponentDescription<Options> {
  /** `KruiseRollout` */
  readonly type: string;
  /** The name of the component. */
  readonly name: string;
  /** The arguments as they were given, with Outputs and resources among them. */
  readonly args: object;
  /** The options among the arguments. The compiler knows that none is left out. */
  readonly props: PropTable<Options>;
  /** Describes the objects; the function that the constructs of cdk8s use too. It throws where options contradict. */
  readonly describe: (options: Options, metadata: NamedMetadata) => readonly object[];
  /**
   * What is wrong with the options, all at once.
   * @default - what `describe` throws
   */
  readonly problems?: (options: Options, metadata: NamedMetadata) => readonly string[];
  /**
   * What is wrong with the objects by themselves. An error among it ends the program before anything is made.
   * @default - nothing is looked for before all of the stack is there
   */
  readonly findings?: (world: World) => readonly Finding[];
  /**
   * Kinds of which there may be several objects.
   * @default - none
   */
  readonly several?: readonly string[];
  /** @default - none */
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[] | undefined;
}

/** The arguments of a component, or none where plain JavaScript leaves them out: what is missing is then named. */
export function givenArgs<Args extends object>(args: Args): Args {
  return args ?? ({} as Args);
}

/** What is known of the objects at one time. */
export interface KnownObjects {
  readonly findings: readonly Finding[];
  readonly manifests: readonly Manifest[];
}

/** The objects that one description gives. */
interface Described {
  readonly objects: readonly KubernetesObject[];
  readonly findings: readonly Finding[];
  readonly problems: readonly string[];
  /** Why there are no objects. */
  readonly thrown?: readonly string[];
}

/** The objects of one component. */
export class ComponentObjects<Options extends object> {
  readonly placeholders: OutputPlaceholders;
  /** What the arguments refer to. */
  readonly references = new References();
  /** The objects, with texts that stand for Outputs. */
  readonly objects: readonly KubernetesObject[];
  /** What is to be said of the objects without anything being wrong. */
  readonly warnings: readonly Finding[];

  /** Throws one error with everything that is wrong with what is plain. */
  constructor(private readonly from: ComponentDescription<Options>) {
    const { name } = from;
    const props = from.props as object as AnyPropTable;
    const args = givenArgs(from.args) as { readonly metadata?: MetadataArgs };
    this.refuse([...dataProblems(args), ...propProblems(args, { metadata: 'object' })]);
    const options = pickProps(args, props);
    this.placeholders = new OutputPlaceholders(
      this.references.resolve({ metadata: { name, ...compact(args.metadata ?? {}) }, ...options }),
    );
    this.refuse(propProblems(this.options, props));
    const described = this.describe();
    const found = [...described.findings, ...this.ownFindings(described.objects)];
    const errors = found.filter(({ severity }) => severity === 'error');
    // Without any objects there is nothing to go on with, whatever it is due to.
    const problems = described.thrown
      ? [...described.problems, ...described.thrown]
      : described.problems.filter(isDecided);
    this.refuse(problems, errors);
    this.objects = described.objects;
    this.warnings = found;
  }

  /** `KruiseRollout:web`: what findings and suppressions name as the construct. */
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

  /** The objects as manifests that say nothing of this component, for what depends on objects alone. */
  get world(): World {
    return World.of(this.objects.map((object) => Manifest.of(object)));
  }

  /** The options with the values that are known by now, and texts for the others. */
  get options(): Options & { readonly metadata: NamedMetadata } {
    return this.placeholders.options as Options & { readonly metadata: NamedMetadata };
  }

  /** The objects with what is known by now, and what is wrong with that. */
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
    throw new RunError(`${this.title} cannot be made:\n- ${lines.join('\n- ')}`);
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
      // What is wrong with the options, building would stumble over in words of its own.
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
    const found = findings(world).filter((finding) => !isDeferred(finding, world));
    if (found.length === 0) return [];
    // Loaded here: it knows every rule of every system.
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

/** What is said of a value that is there. */
function isDecided(problem: string): boolean {
  return !mentionsPlaceholder(problem);
}

function explained(problem: string): string {
  if (!mentionsPlaceholder(problem)) return problem;
  return `${problem} (an Output stands for what begins with "known-later": this has to be decided before its value is known, so give a plain string)`;
}

/** As it is written: without what is undefined, and in one order of keys. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
}
