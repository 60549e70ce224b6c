/** The ids of elements that hold data. */

/** The code of the worker. */
export const HEART_ID = 'heart';
/** The examples. */
export const EXAMPLES_ID = 'examples';

/** An example, as the list of the page offers it. */
export interface Example {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /**
   * A request to begin with.
   * @default - none
   */
  readonly request?: string;
}
