import { AppError } from '@shopscope/errors';

/**
 * Bounds the bytes of request bodies in memory, because a body is read before its request takes a slot.
 *
 * - A workspace has used up its share -> its further requests with a body get 503 `concurrency_limited`. Other workspaces are
 *   unaffected.
 * - All workspaces together have used three quarters of the memory -> workspaces with more than {@link lightBytes} get 503
 *   `unavailable`. The last quarter is kept for the others, so a few workspaces that send much cannot block the bodies of others.
 * - All workspaces together have used up the memory -> 503 `unavailable`.
 * - Callers whose key was not accepted have no share. Their bodies are counted and dropped.
 * - Each gateway counts alone, without I/O.
 */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

/** The bytes of one request. */
export interface BodyShare {
  /** Returns undefined if the bytes are counted. Otherwise it returns the refusal of the request, which must not keep the bytes. */
  add(bytes: number): AppError | undefined;
  /** Gives back all bytes of the request. It may be called more than once. */
  close(): void;
}

/** Twice the bytes of all bodies that a key of the largest plan may have in flight. */
export const maxBytesPerWorkspace = 25 * 1024 * 1024;
export const maxBytes = 128 * 1024 * 1024;
/** Four bodies of the largest size. */
export const lightBytes = 1024 * 1024;
const shareOfHeavy = 3 / 4;

const workspaceIsFull = () =>
  new AppError('concurrency_limited', 'The workspace sends too many bytes at once; retry when a request has ended.', {
    details: { retry_after: 1 },
  });
const gatewayIsFull = () =>
  new AppError('unavailable', 'The service is not available; retry shortly.', {
    details: { retry_after: 1 },
    internal: 'the bodies of all requests occupy the memory for them',
  });

export function createBodyBudget(limits = { maxBytesPerWorkspace, maxBytes }) {
  const byWorkspace = new Map<string, number>();
  let total = 0;
  return {
    /** The number of bytes in memory, of all workspaces. */
    get bytes() {
      return total;
    },
    open(workspaceId: string): BodyShare {
      let own = 0;
      return {
        add(bytes) {
          const ofWorkspace = (byWorkspace.get(workspaceId) ?? 0) + bytes;
          if (ofWorkspace > limits.maxBytesPerWorkspace) return workspaceIsFull();
          const maxTotal = ofWorkspace > lightBytes ? limits.maxBytes * shareOfHeavy : limits.maxBytes;
          if (total + bytes > maxTotal) return gatewayIsFull();
          byWorkspace.set(workspaceId, ofWorkspace);
          total += bytes;
          own += bytes;
          return undefined;
        },
        close() {
          const left = (byWorkspace.get(workspaceId) ?? 0) - own;
          if (left > 0) byWorkspace.set(workspaceId, left);
          else byWorkspace.delete(workspaceId);
          total -= own;
          own = 0;
        },
      };
    },
  };
}
