import type { EnrichResult } from '@shopscope/enrich';
import { describe, expect, it } from 'vitest';
import { enrichResponseBody, storeResponseBody } from './store-bodies.ts';

const store = Buffer.from('{"domain": "shop.example",  "name":"Täst \\u0041"}');
const result = (over: Partial<EnrichResult>): EnrichResult => ({
  input: 'shop.example',
  match: 'no_match',
  reason: 'not_in_corpus',
  scanJobId: undefined,
  store: undefined,
  ...over,
});

describe('response bodies of an enrichment', () => {
  it('the response body of an enrichment contains the store bodies byte for byte', () => {
    const results = [
      result({ match: 'matched', reason: null, store }),
      result({ match: 'stale', reason: null, store }),
    ];
    const body = enrichResponseBody({ requestId: 'req_1', billed: { lookupCached: 2, lookupLive: 0 }, results });
    expect(body.toString().split(store.toString())).toHaveLength(3);
    expect(storeResponseBody(store).toString()).toBe(`{"match":"matched","store":${store}}`);
  });

  it('the response body of an enrichment is the JSON of the contract for every kind of result', () => {
    const results = [
      result({ input: 'a "quoted"\n\u2028 input' }),
      result({ match: 'matched', reason: null, store }),
      result({ match: 'error', reason: 'invalid_domain', input: '127.0.0.1' }),
      result({ scanJobId: 'job_1' }),
      result({ match: 'stale', reason: null, store, scanJobId: 'job_2' }),
    ];
    const body = enrichResponseBody({ requestId: 'req_1', billed: { lookupCached: 2, lookupLive: 1 }, results });
    const parsedStore = JSON.parse(store.toString());
    expect(JSON.parse(body.toString())).toEqual({
      request_id: 'req_1',
      billed: { lookup_cached: 2, lookup_live: 1 },
      results: results.map(({ input, match, reason, scanJobId, store: bytes }) => ({
        input,
        match,
        reason,
        scan_requested: scanJobId !== undefined,
        scan_job_id: scanJobId ?? null,
        store: bytes ? parsedStore : null,
      })),
    });
  });

  it('the response body of an enrichment has no results when there are no inputs', () => {
    const body = enrichResponseBody({ requestId: 'req_1', billed: { lookupCached: 0, lookupLive: 0 }, results: [] });
    expect(JSON.parse(body.toString())).toEqual({
      request_id: 'req_1',
      billed: { lookup_cached: 0, lookup_live: 0 },
      results: [],
    });
  });
});
