/** What kustomizations say about the files around them: the namespaces of their resources, and which files are patches. */
import { isClusterScoped } from '../cluster-scoped';
import { baseName, folderName, joinedPath } from '../file-name';
import { asList, asObject, type Json, textOf } from '../json';
import { Manifest } from '../manifest';

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Whether kustomize reads a file with this name as its own. It may lack `apiVersion` and `kind`. */
export function isKustomization(file: string): boolean {
  return NAMES.includes(baseName(file));
}

/** A kustomization. */
interface Kustomization {
  readonly file: string;
  /** Empty if it gives none. */
  readonly namespace: string;
  /** Its files, and the folders of its bases. */
  readonly resources: readonly string[];
  /** The files of its patches. */
  readonly patches: readonly string[];
}

/** The kustomizations of a read. */
export class Kustomizations {
  private readonly known: Kustomization[] = [];

  /** Reads the content of a kustomization.yaml. */
  add(file: string, value: Json): void {
    const { namespace, resources, bases, patches, patchesStrategicMerge, patchesJson6902 } = asObject(value);
    const inFolder = (paths: readonly unknown[]) =>
      paths.flatMap((path) => textOf(path) ?? []).map((path) => joinedPath(folderName(file), path));
    const pathsOf = (list: unknown) => asList(list).map((patch) => asObject(patch).path);
    this.known.push({
      file,
      namespace: textOf(namespace) ?? '',
      resources: inFolder([...asList(resources), ...asList(bases)]),
      patches: inFolder([...pathsOf(patches), ...asList(patchesStrategicMerge), ...pathsOf(patchesJson6902)]),
    });
  }

  /** Whether a file holds only a part of an object, which kustomize merges into the whole one. */
  isPatch(file: string): boolean {
    const own = joinedPath(file);
    return (
      this.known.some(({ patches }) => patches.includes(own)) &&
      !this.known.some(({ resources }) => resources.includes(own))
    );
  }

  /**
   * The object as `kustomize build` writes it, if it names no namespace and all kustomizations of its file agree on one.
   * @param counts whether a kustomization, by its file, belongs to the same stack
   */
  placed(manifest: Manifest, file: string, counts: (kustomization: string) => boolean = () => true): Manifest {
    if (this.known.length === 0 || manifest.namespace !== undefined || isClusterScoped(manifest.groupKind))
      return manifest;
    const [namespace, ...others] = new Set(
      this.known
        .filter((each) => each.namespace !== '' && counts(each.file) && covers(each, file))
        .map((each) => each.namespace),
    );
    if (namespace === undefined || others.length > 0) return manifest;
    const { object, origin, construct } = manifest;
    const metadata = { ...asObject(object.metadata), namespace };
    return Manifest.of({ ...object, metadata }, { ...(origin && { origin }), ...(construct && { construct }) });
  }
}

function covers({ resources }: Kustomization, file: string): boolean {
  const own = joinedPath(file);
  return resources.some((path) => own === path || own.startsWith(`${path}/`));
}
