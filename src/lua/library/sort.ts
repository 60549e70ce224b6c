/**
 * Sorts in place as Go's `sort.Sort` does since Go 1.19 (pattern-defeating quicksort), which decides the order of equal
 * values and what an inconsistent comparison leads to.
 */
export function sort<T>(values: T[], isLess: (left: T, right: T) => boolean): void {
  const sorter = new Sorter(values, isLess);
  sorter.sort(0, values.length, bitLength(values.length));
}

const MAX_INSERTION = 12;
const SHORTEST_NINTHER = 50;
const MAX_SWAPS = 4 * 3;
const MAX_STEPS = 5;
const SHORTEST_SHIFTING = 50;

type Hint = 'unknown' | 'increasing' | 'decreasing';

class Sorter<T> {
  constructor(
    private readonly values: T[],
    private readonly isLess: (left: T, right: T) => boolean,
  ) {}

  sort(from: number, to: number, depth: number): void {
    let start = from;
    let end = to;
    let limit = depth;
    let wasBalanced = true;
    let wasPartitioned = true;
    for (;;) {
      const length = end - start;
      if (length <= MAX_INSERTION || limit === 0) {
        if (length <= MAX_INSERTION) this.insertionSort(start, end);
        else this.heapSort(start, end);
        return;
      }
      if (!wasBalanced) {
        this.breakPatterns(start, end);
        limit--;
      }
      let [pivot, hint] = this.choosePivot(start, end);
      if (hint === 'decreasing') {
        this.reverse(start, end);
        pivot = end - 1 - (pivot - start);
        hint = 'increasing';
      }
      if (wasBalanced && wasPartitioned && hint === 'increasing' && this.partialInsertionSort(start, end)) return;
      // Everything from here on is at least as large as the value before it: equal values need no further sorting.
      if (start > 0 && !this.less(start - 1, pivot)) {
        start = this.partitionEqual(start, end, pivot);
        continue;
      }
      const [middle, partitioned] = this.partition(start, end, pivot);
      wasPartitioned = partitioned;
      const left = middle - start;
      const right = end - middle;
      const balanced = Math.floor(length / 8);
      if (left < right) {
        wasBalanced = left >= balanced;
        this.sort(start, middle, limit);
        start = middle + 1;
      } else {
        wasBalanced = right >= balanced;
        this.sort(middle + 1, end, limit);
        end = middle;
      }
    }
  }

  private less(left: number, right: number): boolean {
    return this.isLess(this.values[left]!, this.values[right]!);
  }

  private swap(left: number, right: number): void {
    const { values } = this;
    const value = values[left]!;
    values[left] = values[right]!;
    values[right] = value;
  }

  private insertionSort(start: number, end: number): void {
    for (let i = start + 1; i < end; i++) {
      for (let j = i; j > start && this.less(j, j - 1); j--) this.swap(j, j - 1);
    }
  }

  private heapSort(start: number, end: number): void {
    const length = end - start;
    for (let i = Math.floor((length - 1) / 2); i >= 0; i--) this.siftDown(i, length, start);
    for (let i = length - 1; i >= 0; i--) {
      this.swap(start, start + i);
      this.siftDown(0, i, start);
    }
  }

  private siftDown(from: number, end: number, offset: number): void {
    let root = from;
    for (;;) {
      let child = 2 * root + 1;
      if (child >= end) return;
      if (child + 1 < end && this.less(offset + child, offset + child + 1)) child++;
      if (!this.less(offset + root, offset + child)) return;
      this.swap(offset + root, offset + child);
      root = child;
    }
  }

  private partition(start: number, end: number, pivot: number): [middle: number, alreadyPartitioned: boolean] {
    this.swap(start, pivot);
    let i = start + 1;
    let j = end - 1;
    while (i <= j && this.less(i, start)) i++;
    while (i <= j && !this.less(j, start)) j--;
    if (i > j) {
      this.swap(j, start);
      return [j, true];
    }
    this.swap(i++, j--);
    for (;;) {
      while (i <= j && this.less(i, start)) i++;
      while (i <= j && !this.less(j, start)) j--;
      if (i > j) break;
      this.swap(i++, j--);
    }
    this.swap(j, start);
    return [j, false];
  }

  private partitionEqual(start: number, end: number, pivot: number): number {
    this.swap(start, pivot);
    let i = start + 1;
    let j = end - 1;
    for (;;) {
      while (i <= j && !this.less(start, i)) i++;
      while (i <= j && this.less(start, j)) j--;
      if (i > j) return i;
      this.swap(i++, j--);
    }
  }

  private partialInsertionSort(start: number, end: number): boolean {
    let i = start + 1;
    for (let step = 0; step < MAX_STEPS; step++) {
      while (i < end && !this.less(i, i - 1)) i++;
      if (i === end) return true;
      if (end - start < SHORTEST_SHIFTING) return false;
      this.swap(i, i - 1);
      if (i - start >= 2) {
        for (let j = i - 1; j >= 1 && this.less(j, j - 1); j--) this.swap(j, j - 1);
      }
      if (end - i >= 2) {
        for (let j = i + 1; j < end && this.less(j, j - 1); j++) this.swap(j, j - 1);
      }
    }
    return false;
  }

  private breakPatterns(start: number, end: number): void {
    const length = end - start;
    if (length < 8) return;
    let random = BigInt(length);
    const modulus = 1n << BigInt(bitLength(length));
    const index = start + Math.floor(length / 4) * 2 - 1;
    for (let i = 0; i < 3; i++) {
      random = BigInt.asUintN(64, random ^ (random << 13n));
      random ^= random >> 17n;
      random = BigInt.asUintN(64, random ^ (random << 5n));
      let other = Number(random & (modulus - 1n));
      if (other >= length) other -= length;
      this.swap(index - 1 + i, start + other);
    }
  }

  private choosePivot(start: number, end: number): [pivot: number, hint: Hint] {
    const length = end - start;
    const quarter = Math.floor(length / 4);
    let i = start + quarter;
    let j = start + quarter * 2;
    let k = start + quarter * 3;
    let swaps = 0;
    const order = (a: number, b: number): [number, number] => {
      if (!this.less(b, a)) return [a, b];
      swaps++;
      return [b, a];
    };
    const median = (first: number, second: number, third: number): number => {
      let [a, b] = order(first, second);
      [b] = order(b, third);
      [a, b] = order(a, b);
      return b;
    };
    if (length >= 8) {
      if (length >= SHORTEST_NINTHER) {
        i = median(i - 1, i, i + 1);
        j = median(j - 1, j, j + 1);
        k = median(k - 1, k, k + 1);
      }
      j = median(i, j, k);
    }
    if (swaps === 0) return [j, 'increasing'];
    return [j, swaps === MAX_SWAPS ? 'decreasing' : 'unknown'];
  }

  private reverse(start: number, end: number): void {
    for (let i = start, j = end - 1; i < j; i++, j--) this.swap(i, j);
  }
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}
