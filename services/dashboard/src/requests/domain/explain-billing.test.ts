import { expect, it } from 'vitest';
import { noCounts } from '../../usage/domain.ts';
import { type BilledRequest, canBill, explainBilling, type OperationBilling, unitsInWords } from './explain-billing.ts';

const contract: Record<string, OperationBilling> = {
  getStore: { units: ['lookup_cached'], billing: 'One lookup_cached on 200; 304 and 404 are free' },
  enrichStores: { units: ['lookup_cached', 'lookup_live'], billing: 'One lookup_cached per matched or stale result' },
  requestScan: { units: ['refresh_requested'], billing: 'One refresh_requested; joining a scan in flight is free' },
  searchSignals: { units: ['history_query'], billing: 'One history_query per page with at least one row' },
  getAccount: { units: [], billing: 'free' },
  cancelJob: { units: [], billing: 'free; gives back the unit' },
};

const story = (over: Partial<BilledRequest>) => {
  const request = { operation: 'getStore', method: 'GET', status: 200, units: noCounts, replayed: false };
  return explainBilling({ ...request, billedBefore: false, ...over }, contract[over.operation ?? 'getStore']);
};

it('what a request billed is written with its units', () => {
  expect(unitsInWords({ ...noCounts, lookup_cached: 1_200, lookup_live: 1 })).toBe(
    '1,200 cached look-ups and 1 live look-up',
  );
  expect(story({ units: { ...noCounts, lookup_cached: 1 } })).toEqual({
    billed: '1 cached look-up',
    why: 'The store is known: one cached look-up.',
  });
  expect(story({ operation: 'enrichStores', units: { ...noCounts, lookup_cached: 2, lookup_live: 1 } }).why).toContain(
    'one live look-up for each scan that was queued',
  );
  expect(story({ operation: 'requestScan', units: { ...noCounts, refresh_requested: 1 } })).toEqual({
    billed: '1 requested refresh',
    why: expect.stringContaining('A scan was queued: one requested refresh.'),
  });
});

it('a request that queued scans says that the unit of a canceled job came back, and no other request says so', () => {
  const queued = [
    story({ operation: 'requestScan', units: { ...noCounts, refresh_requested: 1 } }),
    story({ operation: 'enrichStores', units: { ...noCounts, lookup_live: 1 } }),
  ];
  for (const { why } of queued) expect(why).toMatch(/canceled while it was queued, its unit came back/);
  const others = [
    story({ operation: 'requestScan' }),
    story({ operation: 'enrichStores', units: { ...noCounts, lookup_cached: 1 } }),
  ];
  for (const { why } of others) expect(why).not.toContain('canceled');
});

it('a request without a response is never said to have billed or not billed for certain', () => {
  const units = { ...noCounts, lookup_cached: 1 };
  for (const status of [0, 499]) expect(story({ status, units }).billed).toBe('At most 1 cached look-up');
});

it.each<[string, Partial<BilledRequest>]>([
  ['never billed', { status: 404 }],
  ['has not changed', { status: 304 }],
  ['HEAD requests are free.', { method: 'HEAD' }],
  ['sent again', { operation: 'enrichStores', replayed: true }],
  ['was billed', { operation: 'enrichStores', billedBefore: true }],
  ['No domain belongs to a known store', { operation: 'enrichStores' }],
  ['This operation is free.', { operation: 'getAccount' }],
  ['This operation is free.', { operation: 'getAccount', status: 0 }],
  ['This operation is free.', { operation: 'getAccount', status: 499 }],
  ['This operation is free.', { operation: 'getAccount', status: 429 }],
  ['One history_query per page with at least one row.', { operation: 'searchSignals' }],
  ['This operation is free.', { operation: 'cancelJob', method: 'POST' }],
  ['so the request joined it', { operation: 'requestScan', method: 'POST', status: 202 }],
  ['HEAD requests are free.', { method: 'HEAD', status: 499 }],
  ['billing rules', { operation: 'operationOfALaterRelease' }],
  ['before anything was billed', { status: 499 }],
])('the explanation says why nothing was billed: "%s"', (words, request) => {
  const { billed, why } = story(request);
  expect(billed).toBe('Nothing');
  expect(why).toContain(words);
});

it('only a request of an operation that bills can bill when it is repeated, and HEAD never does', () => {
  const repeated = (method: string, operation: string) => canBill({ method }, contract[operation]);
  expect([repeated('GET', 'getStore'), repeated('GET', 'searchSignals'), repeated('POST', 'requestScan')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([repeated('HEAD', 'getStore'), repeated('GET', 'getAccount')]).toEqual([false, false]);
});
