import { AppError } from '@shopscope/errors';
import { createGrpcServer } from '@shopscope/grpc';
import { type CountStoresRequest, type CountStoresResponse, type Facet, SearchServiceService } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';

/** Numbers of stores by value, for each facet. */
export type FacetNumbers = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const builtAtMs = Date.UTC(2026, 10, 30, 9, 45);

/**
 * A fake search that knows how many stores have each technology. Those of every technology have the same facets. With `isAway`, it refuses
 * calls, and counts them.
 */
export async function startTechnologySearch(numbers: Readonly<Record<string, number>>, facets: FacetNumbers) {
  const state = { isAway: false, refused: 0 };
  const answer = ({ query, facets: fields }: CountStoresRequest): CountStoresResponse => {
    const slug = query?.technologies[0]?.selected?.values[0] ?? query?.platform?.any[0];
    const valuesOf = (field: string) => (slug ? (facets[field] ?? {}) : field === 'technology' ? numbers : {});
    const counted = fields.map((field): Facet => {
      const values = Object.entries(valuesOf(field)).map(([value, stores]) => ({ value, stores }));
      const isSingle = ['platform', 'country', 'industry'].includes(field);
      return { field, values: values.sort((a, b) => b.stores - a.stores), unknown: 0, ...(isSingle && { other: 0 }) };
    });
    const edition = { id: 'edn_1', builtAtMs, stores: 1_000 };
    return { edition, total: slug ? (numbers[slug] ?? 0) : 1_000, notJudged: 0, facets: counted, sampleDomains: [] };
  };
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry('stub') });
  server.addService(SearchServiceService, {
    async countStores(request) {
      if (!state.isAway) return answer(request);
      state.refused++;
      throw new AppError('unavailable', 'away');
    },
    async findStores() {
      throw new AppError('internal', 'not in this test');
    },
  });
  const address = await server.listen();
  return Object.assign(state, { address, stop: () => server.stop() });
}
