import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App } from 'cdk8s';
import { RECORD, type RecordedObject } from './record';

/**
 * Loaded before an app, this records the construct of every object in a file next to the manifests. cdk8s itself keeps one path for
 * each `metadata.name`, which a Service, its Ingress and its Rollout often share.
 *
 * @example
 * // cdk8s.yaml
 * // app: node --require ./node_modules/rollout-constructs/lib/validation/record-paths.js --import tsx main.ts
 */
const synth = App.prototype.synth;

/** By folder, as a program may have several apps that write into one. */
const recorded = new Map<string, RecordedObject[]>();

App.prototype.synth = function (this: App): void {
  synth.call(this);
  // cdk8s-cli asks for it where there are plugins.
  if (process.env.CDK8S_RECORD_CONSTRUCT_METADATA !== 'true') return;
  const objects = [...(recorded.get(this.outdir) ?? []), ...objectsOf(this)];
  recorded.set(this.outdir, objects);
  writeFileSync(join(this.outdir, RECORD), JSON.stringify(objects));
};

function objectsOf(app: App): RecordedObject[] {
  const objects = app.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  return objects.map(({ apiVersion, kind, name, metadata: { namespace }, node }) => ({
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    path: node.path,
  }));
}
