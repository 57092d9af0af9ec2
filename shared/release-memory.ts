// Memory of buffers that have done their work, given back without waiting for the collector. It counts what buffers hold, and
// goes through the whole heap each time a few megabytes have passed by: in transfers, that was most of the processor's time.

/** Smaller ones are not worth the call. */
const leastBytes = 4096;

/**
 * For a buffer that nobody reads any more, in memory of `allocatedBytes` of its own. Does nothing where it is a part of other
 * memory, such as that which Node shares out among small buffers.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array, allocatedBytes: number = byteLength): void {
  if (allocatedBytes < leastBytes || buffer.byteLength !== allocatedBytes) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
