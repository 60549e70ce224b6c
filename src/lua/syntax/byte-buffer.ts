/** Bytes that grow one at a time. */
export class ByteBuffer {
  private store = new Uint8Array(64);
  private length = 0;

  /** Adds the low eight bits of a number. */
  push(byte: number): void {
    if (this.length === this.store.length) this.grow();
    this.store[this.length++] = byte;
  }

  /** A copy of the bytes so far. */
  bytes(): Uint8Array {
    return this.store.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint8Array(this.store.length * 2);
    larger.set(this.store);
    this.store = larger;
  }
}
