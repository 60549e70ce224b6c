import type { JsonObject } from '../json';
import { Manifest } from '../manifest';
import type { Path } from '../path';
import type { ReadLimits } from './limits';
import { DocumentOrigin, InnerOrigin, TextPlace } from './origin';
import type { DocumentText } from './split';

/** Manifests as plain data that can be sent to another thread. Each document's text occurs once. */
export interface PortableManifests {
  readonly objects: readonly {
    readonly object: JsonObject;
    readonly construct?: string;
    /** The index of its document; undefined if it was not read from a file. */
    readonly document?: PortableDocument;
    /** The path from the document to the object, such as an item of a List. */
    readonly path?: Path;
  }[];
}

interface PortableDocument {
  readonly text: DocumentText;
  readonly file: string;
  readonly position: number;
  readonly limits: ReadLimits;
}

/** Converts manifests to plain data. */
export function toPortable(manifests: readonly Manifest[]): PortableManifests {
  const documents = new Map<DocumentOrigin, PortableDocument>();
  const portable = (origin: DocumentOrigin): PortableDocument => {
    const known = documents.get(origin);
    if (known !== undefined) return known;
    const { place, position, limits } = origin;
    const document = { text: place.document, file: place.file, position, limits };
    documents.set(origin, document);
    return document;
  };
  return {
    objects: manifests.map(({ object, construct, origin }) => ({
      object,
      ...(construct === undefined ? {} : { construct }),
      ...(origin instanceof DocumentOrigin ? { document: portable(origin) } : {}),
      ...(origin instanceof InnerOrigin ? { document: portable(origin.document), path: origin.path } : {}),
    })),
  };
}

/** Converts plain data to manifests. */
export function fromPortable({ objects }: PortableManifests): Manifest[] {
  const origins = new Map<PortableDocument, DocumentOrigin>();
  const origin = (document: PortableDocument): DocumentOrigin => {
    const known = origins.get(document);
    if (known !== undefined) return known;
    const { text, file, position, limits } = document;
    const made = new DocumentOrigin(new TextPlace(text, file), position, limits);
    origins.set(document, made);
    return made;
  };
  return objects.map(({ object, construct, document, path = [] }) =>
    Manifest.of(object, {
      ...(document === undefined ? {} : { origin: origin(document).under(path) }),
      ...(construct === undefined ? {} : { construct }),
    }),
  );
}
