import type { VersionedDocument } from '../src/document/document.ts';
import { indexDefinition } from '../src/document/index-definition.ts';
import type { CountRequest, CountResponse } from '../src/engine/count.ts';
import type { Hit } from '../src/engine/in-memory.ts';
import type { RowsRequest } from '../src/engine/rows.ts';

const timeoutMs = 60_000;

/** An index of a running OpenSearch. */
export type EngineIndex = ReturnType<typeof engineIndex>;

export function engineIndex(url: string, name: string) {
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'content-type': path === '_bulk' ? 'application/x-ndjson' : 'application/json' };
    const init = { method, headers, signal: AbortSignal.timeout(timeoutMs), ...(body !== undefined && { body }) };
    const response = await fetch(`${url}/${name}${path === '' ? '' : `/${path}`}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };

  return {
    /** Two shards: the results of several are put together. */
    create: (): Promise<unknown> => send('PUT', '', JSON.stringify(indexDefinition({ shards: 2, replicas: 0 }))),
    /** Returns the status of each document. The writes are visible afterwards. */
    async write(documents: readonly VersionedDocument[]): Promise<number[]> {
      const lines = documents.flatMap(({ id, version, document }) => [
        { index: { _id: id, version, version_type: 'external_gte' } },
        document,
      ]);
      const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const { items } = (await send('POST', '_bulk', body)) as { items: { index: { status: number } }[] };
      await send('POST', '_refresh');
      return items.map(({ index }) => index.status);
    },
    async rows(request: RowsRequest): Promise<Hit[]> {
      const { hits } = (await send('POST', '_search', JSON.stringify(request))) as SearchResponse;
      return hits.hits.map(({ _id, _version, sort }) => ({ id: _id, version: _version, sort }));
    },
    count: (request: CountRequest): Promise<CountResponse> => send('POST', '_search', JSON.stringify(request)),
    /** Merges all segments, so that the size has nothing of earlier versions. */
    async bytes(): Promise<number> {
      await send('POST', '_forcemerge?max_num_segments=1');
      const { _all } = (await send('GET', '_stats/store')) as {
        _all: { primaries: { store: { size_in_bytes: number } } };
      };
      return _all.primaries.store.size_in_bytes;
    },
    delete: (): Promise<unknown> => send('DELETE', ''),
  };
}

interface SearchResponse {
  hits: { hits: { _id: string; _version: number; sort: (string | number)[] }[] };
}
