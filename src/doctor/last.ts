/** The index of the last item that meets a condition; -1 if none does. */
export function lastIndexWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  for (let index = items.length - 1; index >= 0; index--) if (holds(items[index]!)) return index;
  return -1;
}

/** The last item that meets a condition. */
export function lastWhere<T>(items: readonly T[], holds: (item: T) => boolean): T | undefined {
  return items[lastIndexWhere(items, holds)];
}
