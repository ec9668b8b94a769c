/**
 * Bounds the bytes of answers that their readers have not taken yet.
 *
 * - The bound is exceeded -> answers are cut, the oldest one of the workspace with the most bytes first. Slow readers of one
 *   workspace therefore cost no other workspace an answer.
 * - Each gateway counts alone, without I/O.
 */
export type UnreadAnswers = ReturnType<typeof createUnreadAnswers>;

export interface UnreadAnswer {
  bytes: number;
  /** Closes the connection of the answer. */
  cut(): void;
}

/** Ten of the largest answers: 100 stores of 131,072 bytes each. */
export const maxUnreadBytes = 128 * 1024 * 1024;

export function createUnreadAnswers(maxBytes = maxUnreadBytes) {
  const byWorkspace = new Map<string, { bytes: number; answers: Set<UnreadAnswer> }>();
  let total = 0;
  const remove = (workspaceId: string, answer: UnreadAnswer) => {
    const own = byWorkspace.get(workspaceId);
    if (!own?.answers.delete(answer)) return;
    own.bytes -= answer.bytes;
    total -= answer.bytes;
    if (own.answers.size === 0) byWorkspace.delete(workspaceId);
  };
  const cutOne = () => {
    const [workspaceId, { answers }] = [...byWorkspace].reduce((most, next) =>
      next[1].bytes > most[1].bytes ? next : most,
    );
    for (const oldest of answers) {
      remove(workspaceId, oldest);
      return oldest.cut();
    }
  };
  return {
    /** The number of bytes in memory, of all workspaces. */
    get bytes() {
      return total;
    },
    /** Counts an answer. Returns the function that ends the counting; it may be called more than once. */
    add(workspaceId: string, answer: UnreadAnswer): () => void {
      const own = byWorkspace.get(workspaceId) ?? { bytes: 0, answers: new Set() };
      byWorkspace.set(workspaceId, own);
      own.answers.add(answer);
      own.bytes += answer.bytes;
      total += answer.bytes;
      while (total > maxBytes) cutOne();
      return () => remove(workspaceId, answer);
    },
  };
}
