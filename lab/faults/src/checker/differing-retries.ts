import type { Operation } from '../clients/history.ts';

/**
 * One execution per Idempotency-Key: every success under a key bills the same units and names the same jobs.
 *
 * Redis lost the stored response -> only the billed units are compared. The retry is executed again, and a scan that the
 * first execution joined may have ended since.
 */
export function findDifferingRetries(
  operations: readonly Operation[],
  { responsesStored }: { responsesStored: boolean },
): string[] {
  return operations.flatMap(({ id, attempts }) => {
    const responses = attempts.filter(({ outcome }) => outcome === 'ok');
    const distinct = new Set(
      responses.map(({ billed, jobs }) => JSON.stringify(responsesStored ? [billed, jobs] : billed)),
    );
    return distinct.size > 1
      ? [`operation ${id} got ${distinct.size} different responses: ${[...distinct].join(' and ')}`]
      : [];
  });
}
