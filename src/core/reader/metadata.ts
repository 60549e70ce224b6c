import type { Finding } from '../finding';
import { isJsonObject, ownValue, typeName } from '../json';
import type { Manifest } from '../manifest';
import { formatPath, type Path } from '../path';
import { readerRules } from '../rules';

/** Checks the metadata that every Kubernetes object needs. */
export function checkMetadata(manifest: Manifest): Finding[] {
  const metadata = ownValue(manifest.object, 'metadata') ?? {};
  if (!isJsonObject(metadata)) {
    return [
      manifest.finding(readerRules['object-without-name'], {
        message: `metadata of this ${manifest.kind} is ${typeName(metadata)}, not an object`,
        path: ['metadata'],
      }),
    ];
  }
  const strings = [
    ...['name', 'namespace', 'generateName'].map((key) => ['metadata', key]),
    ...['labels', 'annotations'].flatMap((map) =>
      Object.keys(ownValue(metadata, map) ?? {}).map((key) => ['metadata', map, key]),
    ),
  ];
  return [...nameProblem(manifest, metadata), ...strings.flatMap((path) => stringProblem(manifest, path))];
}

function nameProblem(manifest: Manifest, metadata: object): Finding[] {
  const hasName = (ownValue(metadata, 'name') ?? '') !== '' || (ownValue(metadata, 'generateName') ?? '') !== '';
  // Files such as kustomization.yaml configure a program and are not sent to an API server.
  if (hasName || /(^|\.)(config|kubeadm)\.k8s\.io$/.test(manifest.group) || manifest.groupKind === 'Config') return [];
  return [
    manifest.finding(readerRules['object-without-name'], {
      message: `this ${manifest.kind} has no metadata.name`,
      path: ['metadata', 'name'],
    }),
  ];
}

function stringProblem(manifest: Manifest, path: Path): Finding[] {
  const value = manifest.get(path);
  // The API server treats null as an absent field, and in a map as an empty string.
  if (typeof value === 'string' || value === undefined || value === null) return [];
  const isScalar = typeof value !== 'object';
  return [
    manifest.finding(readerRules['metadata-not-a-string'], {
      message: `${formatPath(path)} is ${isScalar ? `the ${typeof value} ${value}` : typeName(value)}, not a string`,
      ...(isScalar ? { fix: `put the value in quotes: "${value}"` } : { fix: 'write a string' }),
      path,
    }),
  ];
}
