import { ApiObject, type ApiObjectProps, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { withPrototypes } from '../core/props';
import { inConstruct } from './construct-errors';

/** Adds the main object of a construct. */
export function addMainObject(scope: Construct, make: () => object): ApiObject {
  return new ApiObject(scope, 'Resource', inConstruct(scope, () => withPrototypes(make())) as ApiObjectProps);
}

/** Adds an object to the tree. One without namespace stays without, whatever the chart's is. */
export function addObject(scope: Construct, id: string, object: ApiObjectProps): ApiObject {
  const resource = new ApiObject(scope, id, withPrototypes(object));
  if (object.metadata?.namespace === undefined && Chart.of(scope).namespace !== undefined) {
    resource.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  return resource;
}
