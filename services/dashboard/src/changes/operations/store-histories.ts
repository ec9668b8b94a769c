/**
 * Histories of stores that people read beside the changes. The API bills a page with at least one change, like every other history of the
 * workspace. The plan therefore limits and bills them.
 *
 * - Opening a page bills nothing: it shows a stored history. Only the form calls the API.
 * - The id of a history is made of the form's token. A form that is sent again, even concurrently, calls the API once.
 * - The API does not answer -> the claim stays, and the form bills nothing more. The API answers with an error, which bills nothing -> the
 *   same form calls the API again.
 */

import type { Client } from '@shopscope/client';
import { canonicalizeDomain } from '@shopscope/domain-name';
import { AppError } from '@shopscope/errors';
import { derivedId, isDerivedId } from '../../app/domain/derived-id.ts';
import { isNoAnswer } from '../../app/domain/no-answer.ts';
import { requireFormToken } from '../../app/domain/text.ts';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { callApi } from '../../keys/operations.ts';
import { parseDomain } from '../../stores/domain.ts';
import { historyPageOf } from '../domain/store-history.ts';
import type { StoredHistory } from '../outbound/store-histories.ts';

export interface HistoryForm {
  domain: string;
  /** The id of the stored page after which the history continues. If it is empty, the history begins with the newest change. */
  newer: string;
  /** It was created with the form. */
  token: string;
}

/** The number of changes on a page of the API. A page costs one history_query. */
const changesPerPage = 200;

/**
 * Reads a page of a history and stores it. Returns its id.
 *
 * 1. Claim the id. A repeated form gets the stored page.
 * 2. Call the API, once: the call has no Idempotency-Key. An error of the API releases the claim.
 * 3. Store the page. The process is killed after step 2, or MongoDB fails -> the page is billed and not stored. The claim stays.
 */
export async function read(deps: Dependencies, visit: WorkspaceVisit, form: HistoryForm) {
  requireFormToken(form.token);
  const domain = parseDomain('domain', form.domain);
  const { newer } = form;
  const keeper = keeperOf(visit);
  const histories = historiesOf(deps, visit);
  const cursor = newer === '' ? undefined : await cursorAfter(deps, visit, domain, newer);
  const id = derivedId(keeper, form.token, domain, newer);
  // Step 1: the claim.
  if (!(await histories.claim(keeper, { id, domain, newer }, deps.clock.now()))) {
    if (await find(deps, visit, domain, id)) return { id, domain };
    throw new AppError(
      'conflict',
      'This form was sent before, and is not sent again. Open the page Changes anew: that bills nothing. If the history is missing there, the log of requests says whether it was read and billed.',
    );
  }
  // Step 2: the billed call.
  const query = { limit: changesPerPage, ...(cursor !== undefined && { cursor }) };
  const call = (client: Client) => client.getStoreHistory(domain, query);
  const answer = await callApi(deps, visit, call, { isSentOnce: true }).catch(async (error: unknown) => {
    if (!isNoAnswer(error)) await histories.release(id);
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('not_found', 'The corpus has no such store, and so no history. Nothing was billed.');
  });
  // Step 3: the page.
  await histories.keep(id, historyPageOf(answer));
  return { id, domain };
}

/**
 * The domain that a page asks for and its stored history: the page with this id, otherwise the latest one. Undefined if the text is no
 * domain.
 */
export async function view(
  deps: Dependencies,
  visit: WorkspaceVisit,
  text: string,
  id: string,
): Promise<{ domain: string; history: StoredHistory | undefined } | undefined> {
  const canonical = canonicalizeDomain(text.trim());
  if (!canonical.ok) return undefined;
  const { domain } = canonical.value;
  const keeper = keeperOf(visit);
  const history =
    (await find(deps, visit, domain, id)) ?? (await historiesOf(deps, visit).latest(keeper, domain, deps.clock.now()));
  return { domain, history };
}

const historiesOf = (deps: Dependencies, { origin }: WorkspaceVisit) => deps.histories[origin.environment];

async function find(deps: Dependencies, visit: WorkspaceVisit, domain: string, id: string) {
  if (!isDerivedId(id)) return undefined;
  const found = await historiesOf(deps, visit).find(keeperOf(visit), id, deps.clock.now());
  return found?.domain === domain ? found : undefined;
}

async function cursorAfter(deps: Dependencies, visit: WorkspaceVisit, domain: string, id: string): Promise<string> {
  const next = (await find(deps, visit, domain, id))?.page.next;
  if (next) return next;
  throw new AppError('not_found', 'This history is no longer stored. Read it again. Nothing was billed.');
}
