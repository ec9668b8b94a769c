import type { RouterContextProvider } from 'react-router';
import { contextOf, workspaceVisit } from '../../app/pages/server.ts';
import type { ListEntry } from '../operations/store-lists.ts';
import type { StoreList } from '../outbound/store-lists.ts';

/** The data that changes while a list runs. */
export type ListProgress = Pick<
  StoreList,
  'state' | 'total' | 'finished' | 'batchSize' | 'batches' | 'billed' | 'counts'
>;

/** The stored state of a list, with the entries of one page. Plain JSON, because the page reads it again. */
export interface ListStatus {
  nowMs: number;
  page: number;
  progress: ListProgress;
  entries: ListEntry[];
}

/** Reads the list and its state, on the page that the address names. */
export async function readStoreList(
  { context, request }: { context: Readonly<RouterContextProvider>; request: Request },
  listId: string,
): Promise<{ list: StoreList; status: ListStatus }> {
  const { storeLists, usage } = contextOf(context).application;
  const asked = Number(new URL(request.url).searchParams.get('page') ?? 1);
  const { list, page, entries } = await storeLists.page(workspaceVisit(context), listId, asked);
  return { list, status: { nowMs: usage.nowMs(), page, progress: progressOf(list), entries } };
}

const progressOf = ({ state, total, finished, batchSize, batches, billed, counts }: StoreList): ListProgress => ({
  state,
  total,
  finished,
  batchSize,
  batches,
  billed,
  counts,
});

export const hasEnded = ({ progress }: ListStatus): boolean => progress.state !== 'open';

/** Returns the newer status. A list only makes progress, and is never opened again. */
export function newerStatus(a: ListStatus, b: ListStatus): ListStatus {
  if (a.progress.finished !== b.progress.finished) return a.progress.finished > b.progress.finished ? a : b;
  return hasEnded(a) ? a : b;
}
