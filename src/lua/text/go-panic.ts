/**
 * A mistake in the controller's Lua itself that stops a script: Go's own text, without the position that Lua errors
 * start with.
 */
export class GoPanic extends Error {
  override readonly name = 'GoPanic';

  /** `bytes[low:high]` of a Go slice, where the bounds do not fit. */
  static sliceBounds(low: number, high: number, length: number): GoPanic {
    const bounds = high > length ? `[:${high}] with capacity ${length}` : `[${low}:${high}]`;
    return new GoPanic(`runtime error: slice bounds out of range ${bounds}`);
  }
}
