import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type ChargeDependencies,
  type ChargeResult,
  chargeUnits,
  findSettled,
  type NamedCharge,
  noFingerprint,
  requireUnits,
} from '@shopscope/charging';
import { AppError } from '@shopscope/errors';
import { newId } from '@shopscope/ids';
import { isZero, type QueryContext } from '@shopscope/proto';
import { type StoreQuery, unitsOfPage } from '@shopscope/store-search';
import { canonicalJson } from '@shopscope/text';
import { listsEntityTag } from '../../http/entity-tag.ts';
import type { Caller } from '../../keys/caller.ts';
import type { FoundPage } from '../../peers/search-client.ts';
import type { Dependencies } from '../dependencies.ts';
import { pageBody } from './page-body.ts';
import { openSearch, searchCallOf } from './search-request.ts';

type Charge = NamedCharge<Caller>;

export interface AskedPage {
  query: StoreQuery;
  view: 'full' | 'compact';
  limit: number;
  cursor: string | undefined;
}

export interface PageAnswer {
  etag: string;
  /** Undefined if the caller has the page already. */
  body?: Buffer;
  remaining?: number | undefined;
  voidCharge?: ChargeResult['voidCharge'] | undefined;
}

/**
 * Finds a page of stores and bills its rows.
 *
 * 1. The rows are found. An unchanged page (304) ends here.
 * 2. With a list, the units of a whole page must be left, whatever was found. Otherwise a 402 would tell whether the stores of a list match.
 * 3. The rows are charged. A page without rows bills nothing.
 * 4. The answer has the bodies of the rows.
 *
 * - An earlier execution with the Idempotency-Key was billed -> the answer has no more rows than it was billed for.
 */
export async function findPage(
  deps: ChargeDependencies & Pick<Dependencies, 'search' | 'subscriptions' | 'cursors' | 'tagOf'>,
  charge: Charge,
  asked: AskedPage,
  ifNoneMatch?: IncomingHttpHeaders['if-none-match'],
): Promise<PageAnswer> {
  const opened = openSearch(deps, charge, asked.query, asked.cursor);
  const call = { ...(await searchCallOf(deps, charge, opened)), after: opened.after };
  const found = await deps.search.findStores({ ...call, limit: asked.limit }, charge);
  const etag = `W/${deps.tagOf(charge.caller.workspaceId, tagTextOf(found, asked, call.context))}`;
  if (ifNoneMatch !== undefined && listsEntityTag(ifNoneMatch, etag.slice(2))) return { etag };
  if (asked.query.where.list) await requireWholePage(deps, charge, asked);
  const charged = await chargeRows(deps, charge, asked.query, found.rows.length);
  const paid = charged?.units.lookupCached ?? 0;
  let page = found;
  if (paid === 0) page = { ...found, rows: [], next: found.rows.length === 0 ? found.next : opened.after };
  else if (paid < found.rows.length)
    page = await deps.search.findStores({ ...call, editionId: found.edition.id, limit: paid }, charge);
  const body = pageBody({ page, opened, view: asked.view, requestId: charge.origin.requestId, billed: charged?.units });
  return { etag, body, remaining: charged?.remaining, voidCharge: charged?.voidCharge };
}

/** Without an Idempotency-Key, nothing is left to charge when there are no rows. */
async function chargeRows(deps: ChargeDependencies, charge: Charge, query: StoreQuery, rows: number) {
  const units = unitsOfPage(query, rows);
  if (isZero(units) && !charge.fingerprint) return undefined;
  return chargeUnits(deps, { ...charge, units, fingerprint: charge.fingerprint ?? noFingerprint });
}

/** Throws 402 if a full page could not be paid, unless an earlier execution with the Idempotency-Key has paid the page. */
async function requireWholePage(
  deps: ChargeDependencies,
  charge: Charge,
  { query, limit }: Pick<AskedPage, 'query' | 'limit'>,
): Promise<void> {
  try {
    const units = unitsOfPage(query, limit);
    await requireUnits(deps, { ...charge, chargeId: newId('chg'), fingerprint: noFingerprint, units });
  } catch (error) {
    const { fingerprint } = charge;
    const isSpent = error instanceof AppError && error.code === 'payment_required';
    if (!isSpent || !fingerprint || !(await findSettled(deps, { ...charge, fingerprint }))) throw error;
  }
}

/**
 * The page of one edition and one request, with the window and the stores of the lists, which change without a new edition. Its rows show stores
 * as they are now, so the tag is weak.
 */
const tagTextOf = (
  { edition }: FoundPage,
  { query, view, limit, cursor = '' }: AskedPage,
  context: QueryContext,
): string =>
  createHash('sha256')
    .update(JSON.stringify([edition.id, edition.builtAtMs, canonicalJson(query), view, limit, cursor, context]))
    .digest('base64url');
