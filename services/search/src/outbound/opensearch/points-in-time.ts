import { failureOf, fromOpenSearch, type OpenSearch, requireWhole } from '@shopscope/opensearch';

/** The part of a response to a search that is read. */
export interface SearchResponse {
  hits: { total?: { value: number } | null; hits: { _id: string; sort?: (string | number)[] }[] };
  aggregations?: Record<string, unknown>;
}

export type PointsInTime = ReturnType<typeof createPointsInTime>;

/** A view that is gone does not come back. An unreachable one may, unless its node is gone. */
export type Kept = { stores: number } | 'gone' | 'unreachable';

interface SearchOptions {
  keepAlive?: string;
  timeoutMs: number;
}

const keepTimeoutMs = 10_000;
/** The type of the error is that of every full queue, so only its text says what is full. */
const tooManyViews = 'too many Point In Time contexts';

/**
 * The frozen views of indexes that the engine keeps. A view lives in the memory of its nodes, until nobody has used it for the time that it
 * is kept for. It is lost with a node that has the only copy of a part.
 */
export function createPointsInTime({ client }: OpenSearch) {
  async function send(id: string, request: object, { keepAlive, timeoutMs }: SearchOptions): Promise<SearchResponse> {
    const pit = { id, ...(keepAlive !== undefined && { keep_alive: keepAlive }) };
    // A search computes on one thread of each node. An expensive one then leaves the other threads to others.
    const bounds = { allow_partial_search_results: false, max_concurrent_shard_requests: 1 };
    const options = { requestTimeout: Math.max(1, Math.floor(timeoutMs)) };
    const { body } = await client.search({ body: { ...request, pit } as never, ...bounds }, options);
    requireWhole(body as Parameters<typeof requireWhole>[0]);
    return body as unknown as SearchResponse;
  }

  return {
    /** Resolves to undefined if the view is gone. */
    async search(id: string, request: object, options: { timeoutMs: number }): Promise<SearchResponse | undefined> {
      try {
        return await send(id, request, options);
      } catch (error) {
        if (failureOf(error) === 'not_found') return undefined;
        throw fromOpenSearch(error);
      }
    },

    /**
     * Resolves to undefined if a node keeps as many views as it may. Each view counts once for each part of the index on the node.
     *
     * - A part of the index has no node -> rejects with `unavailable`. By default, OpenSearch opens a view that lacks the part.
     */
    async open(index: string, keepAlive: string): Promise<string | undefined> {
      try {
        const view = { index: [index], keep_alive: keepAlive, allow_partial_pit_creation: false };
        const { body } = await client.createPit(view);
        return body.pit_id as string;
      } catch (error) {
        if (failureOf(error) === 'too_many_requests' && String(error).includes(tooManyViews)) return undefined;
        throw fromOpenSearch(error);
      }
    },

    /** Keeps the view longer. */
    async keep(id: string, keepAlive: string): Promise<Kept> {
      try {
        const options = { keepAlive, timeoutMs: keepTimeoutMs };
        const { hits } = await send(id, { size: 0, track_total_hits: true }, options);
        return { stores: hits.total?.value ?? 0 };
      } catch (error) {
        const kind = failureOf(error);
        if (kind === 'not_found') return 'gone';
        if (kind === 'unavailable') return 'unreachable';
        throw fromOpenSearch(error);
      }
    },

    /** Does nothing if the view does not exist. */
    async close(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      try {
        await client.deletePit({ body: { pit_id: [...ids] } });
      } catch (error) {
        if (failureOf(error) !== 'not_found') throw fromOpenSearch(error);
      }
    },
  };
}
