import { poll } from '../../wait.ts';

export type OpenSearch = ReturnType<typeof createOpenSearch>;

interface IndexSettings {
  settings: { index: { blocks?: { read_only_allow_delete?: string } } };
}

const requestTimeoutMs = 10_000;
/** OpenSearch looks at the disk this often. */
const diskLook = '10s';
const diskBoundMs = 60_000;
const indexes = '/shopscope-*';
const watermarks = ['low', 'high', 'flood_stage'].map((level) => `cluster.routing.allocation.disk.watermark.${level}`);

/** Asks and commands OpenSearch directly. */
export function createOpenSearch(url: string) {
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!response.ok) throw new Error(`OpenSearch ${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const isBlocked = async () => {
    const all = (await request('GET', `${indexes}/_settings`)) as Record<string, IndexSettings>;
    return Object.values(all).some(({ settings }) => settings.index.blocks?.read_only_allow_delete === 'true');
  };
  return {
    url,
    /** Makes the indexes of search read-only, or writable again. */
    setReadOnly: (isReadOnly: boolean) =>
      request('PUT', `${indexes}/_settings`, { 'index.blocks.read_only': isReadOnly ? true : null }),

    /** Makes the disk count as full, or as it is. Resolves when OpenSearch has noticed it. */
    async setDiskFull(isFull: boolean): Promise<void> {
      const settings = watermarks.map((name) => [name, isFull ? '1000tb' : null]);
      await request('PUT', '/_cluster/settings', {
        persistent: { ...Object.fromEntries(settings), 'cluster.info.update.interval': diskLook },
      });
      const noticed = async () => (await isBlocked()) === isFull || undefined;
      if (!(await poll(noticed, { timeoutMs: diskBoundMs, everyMs: 200 })))
        throw new Error(`OpenSearch does not treat its disk as ${isFull ? 'full' : 'having room'}`);
    },

    /** Whether an instance of search is filling an index. */
    async isFilling(): Promise<boolean> {
      const state = (await request('GET', '/shopscope-state/_doc/indexes')) as {
        _source: { filling: { lease: object | null } | null };
      };
      return (state._source.filling?.lease ?? null) !== null;
    },
  };
}
