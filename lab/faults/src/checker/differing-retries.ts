import type { Operation } from '../clients/history.ts';

/**
 * Checks that an Idempotency-Key has one execution: all successful responses under a key bill the same units and name the same jobs.
 *
 * If Redis has lost the stored response, only the billed units are compared. The retry then runs again, and a scan that the first execution
 * joined may have ended since.
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
