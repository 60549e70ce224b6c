/**
 * No shell forgets a prop: constructs and components take the same names, and write the same objects of every option.
 */
import { ApiObject, Chart, Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import * as constructs from '../../src/constructs';
import { lazy } from '../../src/core/lazy';
import type * as components from '../../src/pulumi';
import { EVERY_PROP } from './every-prop';
import { run } from './program';

type AnyConstruct = abstract new (scope: never, id: never, props: never) => Construct;

/** The constructs with a component. Pulumi checks its stack without one, and creates the role in AWS instead of a document. */
type Noun = Exclude<
  {
    [Name in keyof typeof constructs]: (typeof constructs)[Name] extends AnyConstruct ? Name : never;
  }[keyof typeof constructs],
  'StackCheck' | 'TargetGroupVerificationPolicy'
>;

type Props<Name extends Noun> = NonNullable<ConstructorParameters<(typeof constructs)[Name]>[2]>;
type Args<Name extends Noun> = NonNullable<ConstructorParameters<(typeof components)[Name]>[1]>;

/** The props that only one of the shells has. The compiler rejects a list that misses one, or has one too many. */
const ONLY_IN_ONE_SHELL = {
  AlbCanaryIngress: { ignoreRewrittenFields: 'cdk8s applies nothing: KruiseGitOps has the fields for its GitOps tool' },
  AlbIngressClass: {},
  AliyunAlbCanaryIngress: {},
  ArgoAnalysisTemplate: { install: 'Pulumi makes the CRDs first; cdk8s orders nothing' },
  ArgoAlbRollout: { install: 'Pulumi makes the CRDs first; cdk8s orders nothing' },
  ArgoRolloutsInstall: { verification: 'the role in AWS is a resource; cdk8s has TargetGroupVerificationPolicy' },
  GatewayRoleBinding: {},
  IstioRoleBinding: {},
  KruiseRollout: { install: 'Pulumi makes the CRDs first; cdk8s orders nothing' },
  KruiseRolloutInstall: {},
  KruiseTrafficRouting: { install: 'Pulumi makes the CRDs first; cdk8s orders nothing' },
  KtEnvInstall: { retainCrd: 'cdk8s deletes nothing' },
  KtVirtualEnvironment: {
    install: 'Pulumi makes the CRD first; cdk8s orders nothing',
    rehearsal: 'holds for the stack; no construct of KtEnv is released',
  },
  LuaRoutingConfigMap: { after: 'Pulumi makes the namespace first; cdk8s orders nothing' },
} satisfies {
  readonly [Name in Noun]: Readonly<
    Record<Exclude<keyof Props<Name>, keyof Args<Name>> | Exclude<keyof Args<Name>, keyof Props<Name>>, string>
  >;
};

const classes: Readonly<Record<string, unknown>> = { ...constructs };
const nouns = Object.keys(ONLY_IN_ONE_SHELL) as Noun[];

/** The only options that both shells write in another way. */
function ofConstruct(options: Readonly<Record<string, unknown>>): unknown {
  const { certificate, ...rest } = options as { readonly certificate?: { readonly issuer: { readonly name: string } } };
  if (certificate === undefined) return rest;
  return { ...rest, certificate: constructs.KtEnvWebhookCertificate.fromCertManager(certificate.issuer) };
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const METADATA = { name: 'x', namespace: 'shop', labels: { team: 'a' }, annotations: { note: 'b' } };

/** Installs and role bindings name their objects themselves. */
function withMetadata(noun: Noun, options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!/Rollout$|Ingress$|Routing$|Class$|Template$/.test(noun)) return options;
  const { namespace, ...rest } = METADATA;
  return { ...options, metadata: noun === 'AlbIngressClass' ? rest : { ...rest, namespace } };
}

function constructObjects(noun: Noun, options: Readonly<Record<string, unknown>>): Manifest[] {
  const chart = new Chart(Testing.app(), 'chart', { disableResourceNameHashes: true });
  const AnyOne = classes[noun]! as new (scope: Construct, id: string, props: unknown) => Construct;
  new AnyOne(chart, 'x', ofConstruct(options));
  const objects = chart.node.findAll().filter((each): each is ApiObject => ApiObject.isApiObject(each));
  return sorted(objects.map((object) => object.toJson()));
}

async function componentObjects(noun: Noun, options: Readonly<Record<string, unknown>>): Promise<Manifest[]> {
  const { resources } = await run(({ library }) => {
    const AnyOne = library[noun] as unknown as new (name: string, args: unknown) => unknown;
    new AnyOne('x', options);
  });
  return sorted(resources.filter(({ type }) => type.startsWith('kubernetes:')).map(({ inputs }) => inputs as Manifest));
}

function sorted(manifests: Manifest[]): Manifest[] {
  const key = ({ apiVersion, kind, metadata: { name } }: Manifest) => `${apiVersion} ${kind} ${name}`;
  return manifests.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

describe.each(nouns.filter((noun) => noun !== 'IstioRoleBinding'))('%s', (noun) => {
  const { props, options, unseen } = EVERY_PROP[noun]!;
  const whole = options.map((each) => lazy(() => JSON.stringify(constructObjects(noun, withMetadata(noun, each)))));

  test('has a value here for every option', () => {
    const given = new Set(options.flatMap((each) => Object.keys(each)));
    expect([...given].sort()).toEqual(Object.keys(props).sort());
  });

  test.each(options.map((each, index) => [index, each] as const))('makes the same objects (%i)', async (_, each) => {
    const given = withMetadata(noun, each);
    expect(await componentObjects(noun, given)).toEqual(constructObjects(noun, given));
  });

  test.each(Object.keys(props).filter((key) => !(key in unseen)))('%s shows in the objects', (key) => {
    const changes = options.some((each, index) => {
      if (!(key in each)) return false;
      const { [key]: _, ...rest } = withMetadata(noun, each);
      return JSON.stringify(objectsOrError(noun, rest)) !== whole[index]!();
    });
    expect(changes).toBe(true);
  });
});

function objectsOrError(noun: Noun, options: Readonly<Record<string, unknown>>): unknown {
  try {
    return constructObjects(noun, options);
  } catch (error) {
    return String(error);
  }
}
