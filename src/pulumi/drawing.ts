/** The objects of a component, described once when the program runs and checked again as values become known. */
import { isDeepStrictEqual } from 'node:util';
import { RunError } from '@pulumi/pulumi';
import { pulumiRules } from '../check/pulumi-rules';
import type { Finding } from '../core/finding';
import { Manifest } from '../core/manifest';
import { findingOf } from '../core/rule';
import { applySuppressions, type Suppression } from '../core/suppression';
import { World } from '../core/world';
import type { KubernetesObject } from '../kubernetes/api';
import { childNames } from './child-names';
import { isDeferred } from './deferred';
import { Leaves, mentionsLeaf } from './leaves';
import { findingLines } from './report';
import { stringifiedIn } from './stringified';

/** What a component is drawn from. */
export interface DrawingOptions<Options> {
  /** `KruiseRollout` */
  readonly type: string;
  /** The name of the component. */
  readonly name: string;
  /** The options, with Outputs among them. */
  readonly options: object;
  /** Describes the objects; the function that the constructs of cdk8s use too. It throws where options contradict. */
  readonly draw: (options: Options) => readonly object[];
  /**
   * What is wrong with the options, all at once.
   * @default - what `draw` throws
   */
  readonly problems?: (options: Options) => readonly string[];
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
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[];
}

/** What is known of the objects at one time. */
export interface Redrawn {
  readonly findings: readonly Finding[];
  readonly manifests: readonly Manifest[];
}

/** The objects of one component. */
export class Drawing<Options = never> {
  readonly leaves: Leaves;
  /** The objects, with texts that stand for Outputs. */
  readonly objects: readonly KubernetesObject[];
  /** What is to be said of the objects without anything being wrong. */
  readonly warnings: readonly Finding[];

  /** Throws one error with everything that is wrong with what is plain. */
  constructor(private readonly from: DrawingOptions<Options>) {
    this.leaves = new Leaves(from.options);
    const drawn = this.draw();
    const found = [...drawn.findings, ...this.ownFindings(drawn.objects)];
    const errors = found.filter(({ severity }) => severity === 'error');
    // Without any objects there is nothing to go on with, whatever it is due to.
    const problems = drawn.thrown ? [...drawn.problems, ...drawn.thrown] : drawn.problems.filter(isDecided);
    const texts = [...new Set(problems)].map(explained);
    if (errors.length > 0 || texts.length > 0) {
      const lines = [...texts, ...errors.map((finding) => findingLines(finding).join('\n  '))];
      throw new RunError(`${this.title} cannot be made:\n- ${lines.join('\n- ')}`);
    }
    this.objects = drawn.objects;
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

  /** The objects with what is known by now, and what is wrong with that. */
  redraw(): Redrawn {
    const objects = this.leaves.filled(this.objects) as readonly KubernetesObject[];
    const drawn = this.draw();
    const isDrawn = drawn.thrown === undefined && !drawn.problems.some(isDecided);
    const isKnown = this.leaves.unknown.length === 0;
    const isOther = isKnown && isDrawn && !isDeepStrictEqual(plain(drawn.objects), plain(objects));
    const problems = [...new Set([...drawn.problems, ...(drawn.thrown ?? [])])].filter(isDecided);
    return {
      findings: [
        ...problems.map((problem) => this.finding('pulumi-value-refused', problem)),
        ...drawn.findings,
        ...this.ownFindings(objects),
        ...(isOther ? [this.finding('pulumi-value-decides-structure', this.differing(drawn.objects, objects))] : []),
      ],
      manifests: this.manifestsOf(objects),
    };
  }

  private draw() {
    const { draw, problems = () => [] } = this.from;
    const options = this.leaves.options as Options;
    const findings = [...stringifiedIn(options)].map((path) =>
      this.finding('pulumi-output-in-text', `${path} holds the text of a warning instead of a value`, path),
    );
    try {
      const found = problems(options);
      // What is wrong with the options, building would stumble over in words of its own.
      if (found.some(isDecided)) return { problems: found, findings, objects: [] };
      const drawn = this.leaves.filled(this.leaves.hide(draw(options))) as readonly KubernetesObject[];
      return { problems: found, findings, objects: drawn };
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

  private differing(drawn: readonly KubernetesObject[], objects: readonly KubernetesObject[]): string {
    const kinds = (list: readonly KubernetesObject[]) => list.map(({ kind }) => kind).join(', ');
    const paths = this.leaves.leaves.map(({ path }) => path).join(', ');
    const other = objects.find((object, index) => !isDeepStrictEqual(plain(object), plain(drawn[index])));
    const built =
      drawn.length === objects.length ? `the ${other?.kind}` : `${kinds(objects)} instead of ${kinds(drawn)}`;
    return `with the values of ${paths}, ${built} would be built otherwise`;
  }
}

/** What is said of a value that is there. */
function isDecided(problem: string): boolean {
  return !mentionsLeaf(problem);
}

function explained(problem: string): string {
  if (!mentionsLeaf(problem)) return problem;
  return `${problem} (an Output stands for what begins with "known-later": this has to be decided before its value is known, so give a plain string)`;
}

/** As it is written: without what is undefined, and in one order of keys. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
}
