/** The position of a value of a map or list in the text. */
export interface Place {
  /** Where its key or its `-` begins. */
  readonly key: number;
  readonly value: number;
}

/** The positions of all values, by the map or list that holds them. */
export type Places = Map<object, Map<string | number, Place>>;
