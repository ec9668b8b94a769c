import type { Handlers } from '@shopscope/grpc';
import { deriveId } from '@shopscope/ids';
import { FindStoresResponse, type SearchServiceService, type StoreQuery } from '@shopscope/proto';

const edition = { id: 'edn_1', builtAtMs: Date.UTC(2026, 0, 15), stores: 60 };

/**
 * A stand-in for the service search behind real gRPC. It knows sixty stores with Klaviyo in Germany, of which forty are on Shopify, five in
 * Austria, and none in any other country. `asked` are the queries that it was asked, in order.
 */
export function searchStandIn(bodyOf: (domain: string) => Buffer) {
  const asked: { kind: 'count' | 'rows'; query: StoreQuery | undefined }[] = [];
  const matchesOf = (query: StoreQuery | undefined) => {
    const { any = [] } = query?.country ?? {};
    if (any.length > 0 && !any.includes('DE')) return any.includes('AT') ? 5 : 0;
    return query?.platform ? 40 : 60;
  };
  const domains = Array.from({ length: 60 }, (_, n) => `store-${String(n).padStart(2, '0')}.example`);
  const handlers: Handlers<typeof SearchServiceService> = {
    async countStores({ query, facets }) {
      asked.push({ kind: 'count', query });
      const total = matchesOf(query);
      const values: Record<string, string> = { country: 'DE', platform: 'shopify', technology: 'klaviyo' };
      const counted = facets.map((field) => ({
        field,
        values: values[field] && total > 0 ? [{ value: values[field], stores: field === 'platform' ? 40 : total }] : [],
        unknown: 0,
      }));
      return { edition, total, notJudged: 0, facets: counted, sampleDomains: domains.slice(0, Math.min(3, total)) };
    },
    async findStores({ query, after, limit }) {
      asked.push({ kind: 'rows', query });
      const first = after === '' ? 0 : Number(after);
      const all = domains.slice(0, matchesOf(query));
      const dropped = (query?.dropped ?? []).map(() => ({
        technology: 'yotpo',
        signalId: deriveId('evt', 'yotpo'),
        effectiveAtMs: edition.builtAtMs,
        confirmedAtMs: edition.builtAtMs,
      }));
      const rows = all.slice(first, first + limit).map((domain) => ({
        domain,
        storefrontId: deriveId('sf', domain),
        sequence: 1,
        body: bodyOf(domain),
        matched: [],
        dropped,
      }));
      return FindStoresResponse.fromPartial({
        edition,
        rows,
        next: first + limit < all.length ? String(first + limit) : '',
      });
    },
  };
  return { asked, handlers };
}
