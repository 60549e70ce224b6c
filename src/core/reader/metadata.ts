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
  if (hasName || isOfProgram(manifest)) return [];
  return [
    manifest.finding(readerRules['object-without-name'], {
      message: `this ${manifest.kind} has no metadata.name`,
      path: ['metadata', 'name'],
    }),
  ];
}

/** Groups of files that configure a program: kustomization.yaml, kind and kubeadm, the API server, skaffold. */
const PROGRAM_GROUPS =
  /(^|\.)(config|kubeadm|client\.authentication)\.k8s\.io$|^((ctlptl|dev|kpt|tilt)\.dev|kind\.x-k8s\.io|k3d\.io|k0s\.k0sproject\.io|eksctl\.io|skaffold|minikube\.sigs\.k8s\.io|apiserver\.k8s\.io|audit\.k8s\.io|kots\.io|troubleshoot\.sh)$/;

/** Whether a program reads the file and no API server does. A kubeconfig is a Config of v1. */
function isOfProgram({ group, groupKind }: Manifest): boolean {
  return PROGRAM_GROUPS.test(group) || groupKind === 'Config';
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
