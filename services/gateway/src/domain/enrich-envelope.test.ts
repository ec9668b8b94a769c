import { describe, expect, it } from 'vitest';
import { type EnrichLine, enrichEnvelope, storeEnvelope } from './enrich-envelope.ts';

const store = Buffer.from('{"domain": "shop.example",  "name":"Täst \\u0041"}');
const line = (over: Partial<EnrichLine>): EnrichLine => ({
  input: 'shop.example',
  match: 'no_match',
  reason: 'not_in_corpus',
  scanJobId: undefined,
  store: undefined,
  ...over,
});

describe('the enrich envelope', () => {
  it('carries store bodies byte for byte', () => {
    const lines = [line({ match: 'matched', reason: null, store }), line({ match: 'stale', reason: null, store })];
    const body = enrichEnvelope({ requestId: 'req_1', billed: { lookupCached: 2, lookupLive: 0 }, lines });
    expect(body.toString().split(store.toString())).toHaveLength(3);
    expect(storeEnvelope(store).toString()).toBe(`{"match":"matched","store":${store}}`);
  });

  it('is the JSON that the contract describes, for every kind of line', () => {
    const lines = [
      line({ input: 'a "quoted"\n\u2028 input' }),
      line({ match: 'matched', reason: null, store }),
      line({ match: 'error', reason: 'invalid_domain', input: '127.0.0.1' }),
      line({ scanJobId: 'job_1' }),
      line({ match: 'stale', reason: null, store, scanJobId: 'job_2' }),
    ];
    const body = enrichEnvelope({ requestId: 'req_1', billed: { lookupCached: 2, lookupLive: 1 }, lines });
    const parsedStore = JSON.parse(store.toString());
    expect(JSON.parse(body.toString())).toEqual({
      request_id: 'req_1',
      billed: { lookup_cached: 2, lookup_live: 1 },
      results: lines.map(({ input, match, reason, scanJobId, store: bytes }) => ({
        input,
        match,
        reason,
        scan_requested: scanJobId !== undefined,
        scan_job_id: scanJobId ?? null,
        store: bytes ? parsedStore : null,
      })),
    });
  });

  it('of no inputs has no results', () => {
    const body = enrichEnvelope({ requestId: 'req_1', billed: { lookupCached: 0, lookupLive: 0 }, lines: [] });
    expect(JSON.parse(body.toString())).toEqual({
      request_id: 'req_1',
      billed: { lookup_cached: 0, lookup_live: 0 },
      results: [],
    });
  });
});
