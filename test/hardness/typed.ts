/** Values made of shapes: as the types say, with something else in them, or of anything. */
import { ApiObject, type Chart, Duration } from 'cdk8s';
import * as library from '../../src/constructs';
import type { ObjectShape, Parameter, PropShapes, Shape } from '../../src/core/shape';
import type { Chance } from './random';

/** What an engine says of a program that trusted its input. */
export const CRASH =
  /Cannot (read|set|convert|destructure|use 'in')|is not (a function|iterable|defined|a constructor)|undefined \(reading|call stack|Invalid time value/;

/** Why an error is none that this library would write; undefined if it is one. */
export function rawness(error: unknown): string | undefined {
  if (!(error instanceof Error)) return `it throws ${typeof error}`;
  const isOfEngine = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isOfEngine || CRASH.test(error.message)
    ? `${error.constructor.name}: ${error.message.slice(0, 300)}`
    : undefined;
}

const TEXTS = [
  'web',
  'a/b',
  '20%',
  '10m',
  '0.6.2',
  '/cart',
  'shop.example.com',
  'arn:aws:iam::111122223333:role/x',
  '',
  ' ',
  'X_y',
];
const NUMBERS = [0, 1, 2, 20, 80, 443, 8080, -1, 1.5, 1e9];

/** What a program without types may put anywhere. */
const JUNK: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => '',
  () => 'x',
  () => 0,
  () => -1,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => true,
  () => [],
  () => [null],
  () => [undefined, 'x'],
  () => new Array(3),
  () => ({}),
  () => ({ name: null }),
  () => ({ constructor: null }),
  () => Object.create(null),
  () => [[]],
  () => [0],
  () => () => 'x',
  () => 10n,
  () => Symbol('x'),
  () => new Date(0),
  () => /x/,
  () => new Map([['name', 'web']]),
  () => Promise.resolve('web'),
  () => Duration.seconds(5),
  () => class Web {},
];

/** Instances of classes that only factories make. */
const INSTANCES: Readonly<Record<string, (chart: Chart) => unknown>> = {
  AlbAuth: () => library.AlbAuth.cognito({ userPoolArn: 'arn:x', clientId: 'id', domain: 'shop' }),
  AlbBackend: () => library.AlbBackend.fixedResponse('s', { statusCode: 200 }),
  AlbCanaryMode: () => library.AlbCanaryMode.ingress({ group: 'shop', order: 10 }),
  AlbListenPort: () => library.AlbListenPort.http(),
  ArgoAlbClass: () => library.ArgoAlbClass.none(),
  ArgoAlbService: () => library.ArgoAlbService.named('web'),
  ArgoAlbStrategy: () => library.ArgoAlbStrategy.canary({ steps: [library.ArgoStep.setWeight(20)] }),
  ArgoRolloutsVersion: () => library.ArgoRolloutsVersion.LATEST,
  AwsAccess: () => library.AwsAccess.podIdentity({ clusterName: 'prod' }),
  AwsLoadBalancerControllerVersion: () => library.AwsLoadBalancerControllerVersion.LATEST,
  GatewayKind: () => library.GatewayKind.CONTOUR_HTTP_PROXY,
  IamObjects: () => library.IamObjects.ack(),
  KruiseRolloutStrategy: () =>
    library.KruiseRolloutStrategy.canary({ steps: [library.KruiseRolloutStep.traffic('100%')] }),
  KruiseRolloutVersion: () => library.KruiseRolloutVersion.LATEST,
  KtEnvWebhookCertificate: () => library.KtEnvWebhookCertificate.fromCertManager(),
  LuaScripts: () => library.LuaScripts.fromLibrary('aws-alb'),
  ApiObject: (chart) => new ApiObject(chart, `n${chart.node.children.length}`, { apiVersion: 'v1', kind: 'Namespace' }),
  Chart: (chart) => chart,
};

const DEEPEST = 6;

/** Makes values of shapes. One value in so many is junk. */
export class Maker {
  constructor(
    private readonly chance: Chance,
    private readonly types: PropShapes['types'],
    private readonly chart: Chart,
    private readonly junkOneIn: number,
    /** Makes what is known later. */
    private readonly later: (text: string) => unknown = (text) => text,
  ) {}

  /** Arguments for the parameters: mostly of their shapes, sometimes one too few. */
  arguments(parameters: readonly Parameter[]): unknown[] {
    const given = parameters.flatMap((each) =>
      each.rest ? [this.value(each.shape), this.value(each.shape)] : [this.value(each.shape)],
    );
    return this.chance.oneIn(5) ? given.slice(0, this.chance.below(given.length + 1)) : given;
  }

  junk(): unknown {
    return this.chance.of(JUNK)();
  }

  value(shape: Shape, depth = 0): unknown {
    if (this.chance.oneIn(this.junkOneIn)) return this.junk();
    const { chance } = this;
    if (typeof shape === 'string') return this.simple(shape);
    if ('type' in shape) return this.value(this.types[shape.type] ?? 'any', depth);
    if ('oneOf' in shape) return this.value(chance.of(shape.oneOf), depth);
    if ('values' in shape) return chance.of(shape.values);
    if ('class' in shape) return INSTANCES[shape.class]?.(this.chart);
    if (depth > DEEPEST) return 'list' in shape ? [] : {};
    if ('list' in shape) return Array.from({ length: chance.below(3) }, () => this.value(shape.list, depth + 1));
    if ('map' in shape) return { [chance.of(TEXTS)]: this.value(shape.map, depth + 1) };
    return this.object(shape, depth);
  }

  private object({ props }: ObjectShape, depth: number): object {
    const { chance } = this;
    // A report is written where its value says.
    const own = Object.entries(props).filter(([key]) => key !== 'report?');
    const taken = own.filter(([key]) => (key.endsWith('?') ? chance.oneIn(4) : !chance.oneIn(30)));
    const made = taken.map(([key, shape]): [string, unknown] => [key.replace('?', ''), this.value(shape, depth + 1)]);
    return Object.fromEntries(chance.oneIn(40) ? [...made, [chance.of(TEXTS), this.junk()]] : made);
  }

  private simple(kind: Shape & string): unknown {
    const { chance } = this;
    if (kind === 'string') return chance.of(TEXTS);
    if (kind === 'output') return this.later(chance.of(TEXTS));
    if (kind === 'number') return chance.of(NUMBERS);
    if (kind === 'boolean') return chance.oneIn(2);
    if (kind === 'function') return () => [];
    if (kind === 'construct') return this.chart;
    return kind === 'any' ? this.junk() : undefined;
  }
}
