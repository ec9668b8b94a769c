import { AppError, invalidField } from '@shopscope/errors';
import type { ImportObservationsResponse, ObservationCompleted } from '@shopscope/proto';
import { type Origin, originFields } from '@shopscope/telemetry';
import { requireEnvironment } from '../domain/environment.ts';
import { superseded } from '../domain/merge-observation.ts';
import { parseObservation } from '../domain/parse-observation.ts';
import type { Dependencies } from './dependencies.ts';
import { type MergedObservation, maxObservationsPerMerge, mergeObservations } from './merge-observations.ts';

/**
 * Merges observations from the file of an operator, as observations of scanners are merged. Writes one log line per call.
 *
 * - The system is production, and the operator did not name it -> `invalid_request`.
 * - An observation is invalid -> `invalid_request` with its place in the request. Nothing is merged.
 */
export async function importObservations(
  deps: Dependencies,
  observations: readonly ObservationCompleted[],
  allowed: string,
  origin: Origin,
): Promise<ImportObservationsResponse> {
  requireEnvironment(deps.environment, allowed);
  if (observations.length > maxObservationsPerMerge) {
    throw invalidField('observations', `must be at most ${maxObservationsPerMerge}`);
  }
  const scanned = observations.map((event) => ({ event, origin }));
  const results = scanned.length === 0 ? [] : await mergeObservations(deps, scanned).catch(named(deps, observations));
  const numberOf = (has: (merged: MergedObservation) => boolean) => results.filter(has).length;
  const counts = {
    merged: numberOf(({ result }) => result === 'merged'),
    duplicates: numberOf(({ result }) => result === 'duplicate'),
    superseded: numberOf(({ reason }) => reason === superseded),
    rejected: numberOf(({ result, reason }) => result === 'rejected' && reason !== superseded),
  };
  deps.logger.info({ ...originFields(origin), ...counts }, 'observations imported');
  return counts;
}

/** Replaces the error by one that contains the place of the invalid observation in the request. */
const named =
  (deps: Dependencies, observations: readonly ObservationCompleted[]) =>
  (refusal: unknown): never => {
    for (const [at, event] of observations.entries()) {
      try {
        parseObservation(event, deps.technologies.find, deps.clock.now());
      } catch (error) {
        throw error instanceof AppError ? invalidField(`observations[${at}]`, error.publicMessage) : error;
      }
    }
    throw refusal;
  };
