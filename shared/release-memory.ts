// Frees the memory of unused buffers without waiting for the garbage collector, which would walk the whole heap after
// every few megabytes: most of a transfer's processor time.

/** Smaller buffers are not worth the call. */
const leastBytes = 4096;

/**
 * Frees a buffer that nobody reads any more and that owns `allocatedBytes` of memory. Does nothing for a view of shared
 * memory, such as Node's pool of small buffers.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array, allocatedBytes: number = byteLength): void {
  if (allocatedBytes < leastBytes || buffer.byteLength !== allocatedBytes) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
