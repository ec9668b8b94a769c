import type { IDataObject } from 'n8n-workflow';
import type { Api } from './api.ts';

export interface Page {
  data: IDataObject[];
  next_cursor: string | null;
}

const maxPageSize = 200;
/** Bounds a search that the service never ends. */
const maxPages = 10_000;

/** Reads pages until `limit` entries are read or the pages end. */
export async function readPages(
  api: Api,
  { path, query, limit }: { path: string; query: IDataObject; limit: number },
): Promise<IDataObject[]> {
  const entries: IDataObject[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < maxPages && entries.length < limit; pages++) {
    const pageQuery: IDataObject = { ...query, limit: Math.min(maxPageSize, limit - entries.length) };
    if (cursor !== null) pageQuery.cursor = cursor;
    const page: Page = await api<Page>({ path, query: pageQuery });
    entries.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return entries;
}
