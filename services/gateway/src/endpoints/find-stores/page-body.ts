import { Buffer } from 'node:buffer';
import type { StoreRow, Units } from '@shopscope/proto';
import { rowParts } from '@shopscope/store-search';
import type { FoundPage } from '../../peers/search-client.ts';
import { appliedMembers, type OpenedSearch } from './search-request.ts';

/** The answer with a page of rows. Bodies of stores are copied as the bytes that profiles stores. */
export interface PageToEncode {
  page: FoundPage;
  opened: OpenedSearch;
  view: 'full' | 'compact';
  requestId: string;
  billed: Units | undefined;
}

export function pageBody({ page, opened, view, requestId, billed }: PageToEncode): Buffer {
  const { edition, rows, next } = page;
  const head = { ...answerHead(requestId, billed, page), ...appliedMembers(opened) };
  const cursor = next === undefined ? null : opened.cursorAt(edition.id, next);
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":[`)];
  for (const [at, row] of rows.entries()) {
    if (at > 0) parts.push(comma);
    parts.push(...rowParts(row, storeOf(row, view)));
  }
  parts.push(Buffer.from(`],"next_cursor":${JSON.stringify(cursor)}}`));
  return Buffer.concat(parts);
}
const comma = Buffer.from(',');

/** The first members of every answer. */
export const answerHead = (requestId: string, billed: Units | undefined, { edition }: Pick<FoundPage, 'edition'>) => ({
  request_id: requestId,
  billed: { lookup_cached: billed?.lookupCached ?? 0, history_query: billed?.historyQuery ?? 0 },
  edition: { id: edition.id, built_at: isoOf(edition.builtAtMs) },
});

interface StoreBody {
  name: string;
  platform: { slug: string };
  geography: { country: string };
  industry: { slug: string };
  status: { state: string };
  observation: { last_completed_scan_at: string };
}

function storeOf({ body }: StoreRow, view: 'full' | 'compact'): Buffer {
  if (view === 'full') return body;
  const { name, platform, geography, industry, status, observation } = JSON.parse(body.toString('utf8')) as StoreBody;
  const compact = {
    name,
    platform: platform.slug,
    country: geography.country,
    industry: industry.slug,
    status: status.state,
    last_completed_scan_at: observation.last_completed_scan_at,
  };
  return Buffer.from(JSON.stringify(compact));
}

const isoOf = (ms: number) => new Date(ms).toISOString();
