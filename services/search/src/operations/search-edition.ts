import type { Deadline } from '@shopscope/async';
import { AppError, invalidField } from '@shopscope/errors';
import { type Edition, latestOf } from '../domain/edition-state.ts';
import type { SearchResponse } from '../outbound/opensearch/points-in-time.ts';
import type { SearchDependencies } from './dependencies.ts';
import { forgetEditions } from './open-edition.ts';
import { readState } from './shared-state.ts';

const retryAfterSeconds = 10;

/**
 * Returns an edition by its id, or the latest one for ''.
 *
 * - It has ended, or the engine has lost it -> `invalid_request` of `edition_id`.
 * - There is none yet -> `unavailable`.
 * - The engine does not answer before the deadline -> the error of a timeout, so that the turn of the caller ends.
 */
export async function findEdition(
  deps: Pick<SearchDependencies, 'states'>,
  id: string,
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<Edition> {
  const state = await readState(deps, 'editions', { timeoutMs: deadline.timeoutMs() });
  const edition = id === '' ? latestOf(state) : state.editions.find((each) => each.id === id);
  if (edition) return edition;
  if (id !== '') throw editionEnded();
  throw new AppError('unavailable', 'Searches are not available yet; retry shortly.', {
    internal: 'there is no edition',
    details: { retry_after: retryAfterSeconds },
  });
}

/** Sends a request to the view of an edition. */
export async function searchEdition(
  deps: Pick<SearchDependencies, 'states' | 'pointsInTime' | 'logger'>,
  { edition, isLatest }: { edition: Edition; isLatest: boolean },
  request: object,
  deadline: Pick<Deadline, 'timeoutMs'>,
): Promise<SearchResponse> {
  const found = await deps.pointsInTime.search(edition.pointInTime, request, { timeoutMs: deadline.timeoutMs() });
  if (found) return found;
  await forgetEditions(deps, [edition]);
  if (!isLatest) throw editionEnded();
  throw new AppError('unavailable', 'Searches are not available now; retry shortly.', {
    internal: 'the engine has lost the latest edition',
    details: { retry_after: retryAfterSeconds },
  });
}

const editionEnded = () => invalidField('edition_id', 'has ended; begin again without a cursor');
