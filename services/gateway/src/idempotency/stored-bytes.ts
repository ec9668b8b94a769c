/** Bounds of stored responses, in bytes of Redis's memory. */
export interface StoredBytesLimits {
  /** The bound of one workspace. */
  workspaceBytes: number;
  /** The bound of all workspaces. The reserve for light workspaces is added to it. */
  totalBytes: number;
}

export const defaultLimits: StoredBytesLimits = { workspaceBytes: 512 * 1024 ** 2, totalBytes: 2 * 1024 ** 3 };

/**
 * The reserve as a part of `totalBytes`. With the defaults, a workspace may hold 512 MiB while the whole reserve is free. The more
 * of the reserve is used, the less a workspace may hold.
 */
export const reserveShare = 1 / 4;

/**
 * Returns Redis's memory for one stored response: the size classes of its allocator for the texts, and a constant for the key, the
 * fingerprint and the tables. A test compares it with MEMORY USAGE.
 */
export function storedBytes(texts: readonly { length: number }[]): number {
  return texts.reduce((sum, { length }) => sum + allocatedBytes(length + stringHeaderBytes), fixedBytes);
}

const fixedBytes = 520;
const stringHeaderBytes = 10;

/** There are four size classes between two powers of two. */
function allocatedBytes(bytes: number): number {
  const step = Math.max(16, 2 ** (Math.ceil(Math.log2(bytes)) - 3));
  return Math.ceil(bytes / step) * step;
}
