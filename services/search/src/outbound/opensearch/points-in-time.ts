import { failureOf, fromOpenSearch, type OpenSearch, requireWhole } from '@shopscope/opensearch';

/** The part of a response to a search that is read. */
export interface SearchResponse {
  hits: { total?: { value: number } | null; hits: { _id: string; sort?: (string | number)[] }[] };
  aggregations?: Record<string, unknown>;
}

export type PointsInTime = ReturnType<typeof createPointsInTime>;

/**
 * The frozen views of indexes that the engine keeps. A view lives in the memory of its nodes, until nobody has used it for the time that it
 * is kept for.
 *
 * - A node with the only copy of a part is lost -> the view is lost: calls resolve to undefined.
 */
export function createPointsInTime({ client }: OpenSearch) {
  /** Resolves to undefined if the view does not exist any more. */
  async function search(
    id: string,
    request: object,
    { keepAlive, timeoutMs }: { keepAlive?: string; timeoutMs: number },
  ) {
    try {
      const pit = { id, ...(keepAlive !== undefined && { keep_alive: keepAlive }) };
      const whole = { allow_partial_search_results: false };
      const options = { requestTimeout: Math.max(1, Math.floor(timeoutMs)) };
      const { body } = await client.search({ body: { ...request, pit } as never, ...whole }, options);
      requireWhole(body as Parameters<typeof requireWhole>[0]);
      return body as unknown as SearchResponse;
    } catch (error) {
      if (failureOf(error) === 'not_found') return undefined;
      throw fromOpenSearch(error);
    }
  }

  return {
    search,

    async open(index: string, keepAlive: string): Promise<string> {
      try {
        const { body } = await client.createPit({ index: [index], keep_alive: keepAlive });
        return body.pit_id as string;
      } catch (error) {
        throw fromOpenSearch(error);
      }
    },

    /** Keeps the view longer. Resolves to the number of its stores, or to undefined if it does not exist any more. */
    async keep(id: string, keepAlive: string): Promise<number | undefined> {
      const found = await search(id, { size: 0, track_total_hits: true }, { keepAlive, timeoutMs: 10_000 });
      return found?.hits.total?.value;
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
