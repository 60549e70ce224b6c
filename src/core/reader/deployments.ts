/** Which folders Argo CD and Flux deploy, and to which clusters, as far as their objects say it. */
import { baseName, folderName, joinedPath } from '../file-name';
import { asList, asObject, type Json, type JsonObject, stringsOf, textOf } from '../json';
import type { Manifest } from '../manifest';

/** A folder that is deployed to a cluster. */
export interface Deployment {
  /** As the object says it, relative to the root of the repository: `clusters/prod`; `*` is any name of one folder. */
  readonly path: string;
  /** A text that is equal for the same cluster. */
  readonly cluster: string;
}

/** What an Application, an ApplicationSet or a Kustomization of Flux deploys; empty for any other object. */
export function deploymentsOf(manifest: Manifest, file: string): Deployment[] {
  const { groupKind, object } = manifest;
  switch (groupKind) {
    case 'Application.argoproj.io':
      return ofApplication(asObject(object.spec));
    case 'ApplicationSet.argoproj.io':
      return ofApplicationSet(asObject(object.spec));
    case 'Kustomization.kustomize.toolkit.fluxcd.io':
      return ofFlux(asObject(object.spec), file);
    default:
      return [];
  }
}

function ofApplication({ source, sources, destination }: JsonObject): Deployment[] {
  const { server, name } = asObject(destination);
  const cluster = textOf(server) ?? textOf(name) ?? '';
  const paths = [source, ...asList(sources)].flatMap((each) => textOf(asObject(each).path) ?? []);
  return paths.map((path) => ({ path: plain(path), cluster }));
}

/** Of generators, those whose values are in the object: lists, and folders of the repository. */
function ofApplicationSet({ generators, template }: JsonObject): Deployment[] {
  const spec = asObject(asObject(template).spec);
  return asList(generators).flatMap((generator) => {
    const { list, git } = asObject(generator);
    const elements = asList(asObject(list).elements).map((element) => stringsOf(element));
    const folders = asList(asObject(git).directories).flatMap((each) => {
      const { path, exclude } = asObject(each);
      return exclude === true ? [] : (textOf(path) ?? []);
    });
    const ofFolders = folders.map((path) => ({ path, 'path.path': path, 'path.basename': baseName(path) }));
    return [...elements, ...ofFolders].flatMap((values) => ofApplication(filled(spec, values) as JsonObject));
  });
}

/** A template with its values: `{{cluster}}`, and `{{ .cluster }}` of Go. */
function filled(value: Json, values: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string') {
    return value.replace(/\{\{\s*\.?([\w.-]+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? values[name]! : whole,
    );
  }
  if (Array.isArray(value)) return value.map((item) => filled(item as Json, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}

/** Flux deploys to its own cluster, whose folder has the object, or to that of a kubeconfig. */
function ofFlux({ path, kubeConfig }: JsonObject, file: string): Deployment[] {
  const folder = textOf(path);
  if (folder === undefined) return [];
  const remote = textOf(asObject(asObject(kubeConfig).secretRef).name);
  return [{ path: plain(folder), cluster: remote ?? folderName(file) }];
}

function plain(path: string): string {
  return joinedPath(path).replace(/^\.?\/+|\/+$/g, '');
}
