import { describe, expect, it } from 'vitest';
import { domainOf, parseExternalId, resultsOf } from './member.ts';

describe('external ids', () => {
  it.each(['crm-1042', 'https://crm.example/42', 'ä b', '🛒'.repeat(200)])(
    'the external id %j is accepted as it is',
    (id) => {
      expect(parseExternalId('external_id', id)).toBe(id);
    },
  );

  it.each(['x'.repeat(201), ' a', 'a ', 'a  b', 'e\u0301', 'a\tb', 'a\u202eb'])(
    'the external id %j is refused, because it could not be stored as sent',
    (id) => {
      expect(() => parseExternalId('stores[3].external_id', id)).toThrow(/^stores\[3\]\.external_id: /);
    },
  );
});

describe('inputs of stores', () => {
  it('an input is a host name or a URL, and its store is the registrable domain', () => {
    expect(
      ['https://www.Shop.example/a?b', 'bücher.example', 'a.myshopify.com', 'localhost', ''].map(domainOf),
    ).toEqual(['shop.example', 'xn--bcher-kva.example', 'a.myshopify.com', undefined, undefined]);
  });

  it('each input has its result, in order; the first one of a changed domain says so, and its repetitions do not', () => {
    const domains = ['a.example', undefined, 'b.example', 'a.example', 'c.example'];
    const changed = new Set(['a.example', 'c.example']);
    expect(resultsOf(domains, changed, { first: 'added', again: 'present' })).toEqual([
      { domain: 'a.example', outcome: 'added' },
      { domain: undefined, outcome: 'invalid_domain' },
      { domain: 'b.example', outcome: 'present' },
      { domain: 'a.example', outcome: 'present' },
      { domain: 'c.example', outcome: 'added' },
    ]);
  });
});
