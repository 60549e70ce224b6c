import { Manifest, type Origin } from '../core/manifest';

/** A manifest that a controller writes, with the places of the one that it derives from. */
export function writtenFrom({ origin, construct }: Manifest, object: object): Manifest {
  return Manifest.of(object, { origin: placesOf(origin), construct });
}

/** The places of values, but not of the lines of a text, which may be another one. Finds none before somebody asks. */
function placesOf(origin: Origin | undefined): Origin | undefined {
  return origin?.locateLine === undefined ? origin : { locate: (path) => origin.locate(path) };
}
