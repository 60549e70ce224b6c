/** Text by text: labels and annotations. */
export interface StringMap {
  readonly [key: string]: string;
}

/** What every object here carries. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}
