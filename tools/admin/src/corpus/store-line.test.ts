import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { parseStoreLine, storeLineOf } from './store-line.ts';

const seen = (over: object = {}) => ({
  sequence: 1,
  completed_at: '2026-01-01T12:00:00+02:00',
  outcome: 'observed',
  status: 'active_storefront',
  ...over,
});
const parse = (line: object) => parseStoreLine(JSON.stringify(line));
const one = (over: object = {}) => ({ domain: 'shop.example', observations: [seen(over)] });

describe('line of a corpus file', () => {
  it('a line of a corpus file needs only the required members of a store', () => {
    const { observations } = parse(one());
    expect(observations).toEqual([
      {
        ...ObservationCompleted.decode(new Uint8Array()),
        scanId: expect.stringMatching(/^scan_\w{26}$/),
        domain: 'shop.example',
        sequence: 1,
        startedAtMs: Date.UTC(2026, 0, 1, 10),
        completedAtMs: Date.UTC(2026, 0, 1, 10),
        outcome: ObservationOutcome.OBSERVED,
        scope: 'full',
        storefrontHost: 'shop.example',
        statusState: 'active_storefront',
      },
    ]);
    expect(parse(one())).toEqual(parse(one()));
  });

  it.each([
    ['{', /^is not JSON/],
    ['[]', /expected object/],
    [one({ statuss: 'parked' }), /^observations\[0\]: .*"statuss"/],
    [one({ status: 'open' }), /^observations\[0\]\.status: /],
    [one({ outcome: 'seen' }), /^observations\[0\]\.outcome: /],
    [one({ completed_at: '2026-02-31T00:00:00Z' }), /^observations\[0\]\.completed_at: .*ISO 8601/],
    [one({ started_at: '2026-02-28T24:00:00Z' }), /^observations\[0\]\.started_at: .*ISO 8601/],
    [one({ completed_at: '2026-01-01' }), /^observations\[0\]\.completed_at: .*ISO 8601/],
    [one({ completed_at: '1960-01-01T00:00:00Z' }), /^observations\[0\]\.completed_at: .*1970/],
    [one({ technologies: [{ slug: 'stripe', confidence: 1 }] }), /^observations\[0\]\.technologies\[0\]\.confidence: /],
    [one({ name: 'x'.repeat(900_001) }), /^observations\[0\]\.outcome: .*larger than 900000 bytes/],
    [{ domain: 'www.shop.example', observations: [seen()] }, /^domain: .*here shop\.example/],
    [{ domain: 'Shop.example', observations: [seen()] }, /^domain: /],
    [{ domain: 'shop.example', observations: [] }, /^observations: /],
    [{ domain: 'shop.example', observations: [seen(), seen()] }, /^observations\[1\]\.sequence: /],
    [
      { domain: 'shop.example', observations: [seen({ scan_id: 'a' }), seen({ scan_id: 'a', sequence: 2 })] },
      /^observations\[1\]\.scan_id: /,
    ],
    [
      {
        domain: 'shop.example',
        observations: [{ sequence: 1, completed_at: '2026-01-01T00:00:00Z', outcome: 'refused' }],
      },
      /^observations: .*observed/,
    ],
  ])('a line of a corpus file is refused with the name of the invalid field: %#', (line, problem) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    expect(() => parseStoreLine(text)).toThrow(problem);
  });

  it('a line of a corpus file with values outside the contract can be imported, and these values count as not observed', () => {
    const odd: ObservationCompleted = {
      ...(parse(one()).observations[0] as ObservationCompleted),
      platform: { slug: '', name: '', confidence: '' },
      technologies: [{ slug: 'x', name: '', kind: '', category: '', confidence: '?', installState: '', sources: [] }],
      geography: { country: 'Germany', basis: 'observed' },
      industry: { slug: 'food', basis: '' },
      catalog: {
        coverage: 'full',
        productCount: 1,
        availableCount: undefined,
        currency: '',
        priceMedian: Number.NaN,
        priceP25: -1,
        priceP75: 2.5,
      },
    };
    const line = storeLineOf({ domain: odd.domain, observations: [odd] });
    expect(storeLineOf(parseStoreLine(line))).toBe(line);
    expect(JSON.parse(line).observations[0]).toMatchObject({
      platform: null,
      technologies: [{ confidence: 'low', install_state: 'configured' }],
      geography: null,
      industry: null,
      catalog: { price_range: { median: 0, p25: 0, p75: 2.5 } },
    });
  });
});
