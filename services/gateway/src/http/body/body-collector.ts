const firstCapacity = 16_384;
const noBytes = Buffer.alloc(0);

/**
 * Collects the chunks of a body. A body of several chunks is copied into one buffer that doubles. It therefore occupies at most
 * twice its bytes. A chunk of one byte would cost a hundred times as much if it were kept.
 */
export function createBodyCollector() {
  let buffer: Buffer = noBytes;
  let length = 0;
  let isOwn = false;

  const reserve = (capacity: number) => {
    if (isOwn && capacity <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(capacity, firstCapacity, isOwn ? 2 * buffer.length : 0));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    isOwn = true;
  };

  return {
    add(chunk: Buffer): void {
      if (length === 0) buffer = chunk;
      else {
        reserve(length + chunk.length);
        chunk.copy(buffer, length);
      }
      length += chunk.length;
    },
    /** All bytes so far. */
    take: () => buffer.subarray(0, length),
    clear(): void {
      buffer = noBytes;
      length = 0;
      isOwn = false;
    },
  };
}
