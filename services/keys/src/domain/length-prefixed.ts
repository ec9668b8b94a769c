/**
 * Returns the parts as bytes. The length of each part comes before it, in four bytes. Different lists of parts never have the
 * same bytes, so a hash of the bytes identifies the list.
 */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
