/** The namespaces that kustomizations give to the objects of their resources. */
import { isClusterScoped } from '../cluster-scoped';
import { baseName, folderName, joinedPath } from '../file-name';
import { asList, asObject, type Json, textOf } from '../json';
import { Manifest } from '../manifest';

const NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Whether kustomize reads a file with this name as its own. It may lack `apiVersion` and `kind`. */
export function isKustomization(file: string): boolean {
  return NAMES.includes(baseName(file));
}

/** A kustomization with a namespace. */
interface Kustomization {
  readonly namespace: string;
  /** Its files, and the folders of its bases. */
  readonly resources: readonly string[];
}

/** The kustomizations of a read. */
export class Kustomizations {
  private readonly known: Kustomization[] = [];

  /** Reads the content of a kustomization.yaml. */
  add(file: string, value: Json): void {
    const { namespace, resources, bases } = asObject(value);
    const name = textOf(namespace);
    if (name === undefined || name === '') return;
    const paths = [...asList(resources), ...asList(bases)].flatMap((path) => textOf(path) ?? []);
    this.known.push({ namespace: name, resources: paths.map((path) => joinedPath(folderName(file), path)) });
  }

  /** The object as `kustomize build` writes it, if it names no namespace and all kustomizations of its file agree on one. */
  placed(manifest: Manifest, file: string): Manifest {
    if (this.known.length === 0 || manifest.namespace !== undefined || isClusterScoped(manifest.groupKind))
      return manifest;
    const [namespace, ...others] = new Set(
      this.known.filter((each) => covers(each, file)).map((each) => each.namespace),
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
