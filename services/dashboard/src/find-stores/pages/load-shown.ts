import type { SentForm } from '../../app/inbound/read-form.ts';
import { contextOf, loadPart, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { StoreFilter } from '../domain/store-filter.ts';
import type { Shown, ShownCount, ShownRows } from './shown.tsx';

export type ShownBefore = ReturnType<typeof shownBefore>;

/** What the page showed when a form of it was sent. An empty token: the page did not show it. */
export const shownBefore = (form: SentForm) => ({
  count: { token: form.text('shown_count') },
  rows: {
    token: form.text('shown_rows'),
    limit: form.text('shown_limit'),
    cursor: form.text('shown_cursor'),
    columns: form.texts('shown_columns'),
  },
});

/**
 * Completes what the page shows after a form with what it showed before. The token of an earlier request repeats its answer, which bills
 * nothing. An answer that cannot be repeated is left out.
 */
export async function loadShown(
  context: PageContext,
  filter: StoreFilter,
  before: ShownBefore,
  now: Shown,
): Promise<Shown> {
  const { storeCounts, findStores } = contextOf(context).application;
  const visit = workspaceVisit(context);

  async function count({ token }: ShownBefore['count']): Promise<ShownCount | undefined> {
    if (token === '') return undefined;
    const { value } = await loadPart(context, storeCounts.countByApi(visit, filter, token));
    return value && { token, count: value };
  }

  async function rows(sent: ShownBefore['rows']): Promise<ShownRows | undefined> {
    if (sent.token === '') return undefined;
    const { value } = await loadPart(context, findStores.rows(visit, filter, { ...sent, limit: Number(sent.limit) }));
    return value && { ...sent, page: value };
  }

  const [counted, found] = await Promise.all([now.counted ?? count(before.count), now.found ?? rows(before.rows)]);
  return { counted, found };
}
