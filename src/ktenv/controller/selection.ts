/** Which workloads a Service selects. */
import type { StringMap } from '../../core/json';
import { indexedBy } from '../../core/keyed';

interface Selecting {
  readonly selector: StringMap;
}

/** Whether the Service selects the pods of the workload. An empty value in the selector also matches a missing label. */
function selects({ selector }: Selecting, { labels }: { readonly labels: StringMap }): boolean {
  return Object.entries(selector).every(([key, value]) => (labels[key] ?? '') === value);
}

/** Items with the labels of pods. A Service is compared with those that have one of its labels, not with all of a namespace. */
export class Selection<Item> {
  private readonly byLabel: ReadonlyMap<string, readonly Item[]>;

  constructor(
    private readonly items: readonly Item[],
    private readonly labelsOf: (item: Item) => StringMap,
  ) {
    this.byLabel = indexedBy(items, (item) => Object.entries(labelsOf(item)).map(keyOf));
  }

  /** What a Service selects, in order. */
  of(service: Selecting): Item[] {
    const asked = Object.entries(service.selector).find(([, value]) => value !== '');
    const possible = asked === undefined ? this.items : (this.byLabel.get(keyOf(asked)) ?? []);
    return possible.filter((item) => selects(service, { labels: this.labelsOf(item) }));
  }
}

function keyOf([name, value]: readonly [string, string]): string {
  return `${name}=${value}`;
}
