/**
 * Whether a construct is another one or below it, by their paths. The path of an App is empty, and everything is within
 * it, including an object that no construct made.
 *
 * @example isWithinConstruct('app/shop/web', 'app/shop') // true
 */
export function isWithinConstruct(path: string | undefined, ancestor: string): boolean {
  return ancestor === '' || path === ancestor || (path?.startsWith(`${ancestor}/`) ?? false);
}
