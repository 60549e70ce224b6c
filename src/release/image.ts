/** The version of a workload is the tag of its first image. */
import { asList, asObject, type JsonObject, textOf } from '../core/json';

/** The image of the first container of a workload. */
export function imageOf({ spec }: JsonObject): string | undefined {
  const [container] = asList(asObject(asObject(asObject(spec).template).spec).containers);
  return textOf(asObject(container).image);
}

/**
 * The tag of an image, or the whole image if it has none.
 * @example versionOf('example.com/shop:v2') // 'v2'
 */
export function versionOf(image: string): string {
  return /:([^/:@]+)$/.exec(image)?.[1] ?? image;
}
