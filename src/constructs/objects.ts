import { ApiObject, type ApiObjectProps, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';

/** Adds an object to the tree. One without namespace stays without, whatever the chart's is. */
export function addObject(scope: Construct, id: string, object: ApiObjectProps): ApiObject {
  const resource = new ApiObject(scope, id, object);
  if (object.metadata?.namespace === undefined && Chart.of(scope).namespace !== undefined) {
    resource.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  return resource;
}
