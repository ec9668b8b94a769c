/** A billing period: a calendar month in UTC, in ms since 1970. The start is inclusive, the end exclusive. */
export interface Period {
  startMs: number;
  endMs: number;
}

export function periodAt(instantMs: number): Period {
  const at = new Date(instantMs);
  return {
    startMs: Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1),
    endMs: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1),
  };
}
