import { AppError, invalidField } from '@shopscope/errors';
import type { ImportObservationsResponse, ObservationCompleted } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { requireEnvironment } from '../domain/environment.ts';
import { superseded } from '../domain/merge-observation.ts';
import { parseObservation } from '../domain/parse-observation.ts';
import type { Dependencies } from './dependencies.ts';
import { type MergedObservation, maxObservationsPerMerge, mergeObservations } from './merge-observations.ts';

/**
 * Merges observations from an operator's file, as those of scanners are merged. One log line per call.
 *
 * - Production, and the operator did not name it -> `invalid_request`.
 * - Invalid observation -> `invalid_request` with its place in the request; nothing is merged.
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
  deps.logger.info({ requestId: origin.requestId, ...counts }, 'observations imported');
  return counts;
}

/** Adds its place in the request to the refusal of an observation. */
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
