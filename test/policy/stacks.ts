/** Stacks of Pulumi, from manifests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type JsonObject, parseManifests } from '../../src/core';
import type { Resource } from './analyzer';

/** The resource that a program makes of an object. */
export function resourceOf(object: JsonObject, name = nameOf(object)): Resource {
  const { apiVersion, kind } = object;
  return { type: `kubernetes:${apiVersion === 'v1' ? 'core/v1' : apiVersion}:${kind}`, name, props: object };
}

/** The resources of all objects of a YAML text. */
export function resourcesOf(yaml: string): Resource[] {
  return parseManifests(yaml, 'stack.yaml').manifests.map(({ object }, index) =>
    resourceOf(object, `${nameOf(object)}-${index}`),
  );
}

/** The state of a resource when it is there: what the cluster made of it, and what it was given. */
export function stateOf(resource: Resource): Resource {
  const inputs = resource.props as JsonObject;
  const live = {
    ...inputs,
    metadata: {
      ...(inputs.metadata as object),
      uid: '0e4c6b5e-0d5c-4a4d-8a6e-0d3f1f4b2d11',
      resourceVersion: '4711',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
      managedFields: [{ manager: 'pulumi-kubernetes', operation: 'Apply' }],
    },
    status: { loadBalancer: { ingress: [{ hostname: 'k8s-shop.elb.amazonaws.com' }] } },
  };
  const state = { ...live, __inputs: inputs, __initialApiVersion: inputs.apiVersion, __fieldManager: 'pulumi' };
  return { ...resource, props: state };
}

function nameOf({ metadata }: JsonObject): string {
  return String((metadata as JsonObject | undefined)?.name);
}

/** What an example of this repository prints, as resources. */
export function example(name: string): Resource[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', join('examples', `${name}.ts`)], {
    cwd: join(__dirname, '..', '..'),
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  if (status !== 0) throw new Error(stderr);
  return resourcesOf(stdout);
}

/** The resources, with the object of one kind and name changed. */
export function changed(
  resources: readonly Resource[],
  kind: string,
  // biome-ignore lint/suspicious/noExplicitAny: objects of any kind
  change: (object: any) => void,
): Resource[] {
  const found = resources.filter(({ props }) => (props as JsonObject).kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} resources are of the kind ${kind}`);
  const props = structuredClone(found[0]!.props);
  change(props);
  return resources.map((each) => (each === found[0] ? { ...each, props } : each));
}
