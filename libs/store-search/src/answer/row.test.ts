import { describe, expect, it } from 'vitest';
import { randomFacts } from '../../test/corpus.ts';
import { randomOf } from '../../test/random.ts';
import { parsedQuery } from '../../test/requests.ts';
import { vocabulary } from '../../test/vocabulary.ts';
import { documentOf } from '../document/document.ts';
import type { BodyTechnology, StoreFacts } from '../document/facts.ts';
import { rowFactsOf } from './row.ts';

const firstScan = '2026-08-01T10:00:00.000Z';
const laterScan = '2026-09-09T10:00:00.000Z';
const entryOf = (slug: string, more: Partial<BodyTechnology> = {}): BodyTechnology => ({
  slug,
  category: vocabulary.categoryOf(slug) ?? '',
  install_state: 'active',
  confidence: 'high',
  first_observed_at: firstScan,
  last_confirmed_at: laterScan,
  ...more,
});
const removalOf = (slug: string, effectiveAt: string) => {
  const effectiveAtMs = Date.parse(effectiveAt);
  return { slug, signalId: `evt_${slug}_${effectiveAtMs}`, effectiveAtMs, confirmedAtMs: effectiveAtMs + 1 };
};

const base = randomFacts(randomOf(1), 1);
const facts: StoreFacts = {
  ...base,
  firstScanAtMs: Date.parse(firstScan),
  body: {
    ...base.body,
    status: { state: 'active_storefront' },
    observation: { scope: 'full', last_completed_scan_at: laterScan },
    technologies: [
      entryOf('klaviyo'),
      entryOf('omnisend', { first_observed_at: laterScan, install_state: 'configured' }),
      entryOf('dawn'),
    ],
  },
  removed: [
    removalOf('yotpo', '2026-10-03T05:00:00Z'),
    removalOf('yotpo', '2026-08-20T05:00:00Z'),
    removalOf('klaviyo', '2026-08-10T05:00:00Z'),
  ],
};
const rowOf = (where: object) => rowFactsOf(facts, parsedQuery({ where }), { vocabulary, windowFrom: 20_260_815 });

describe('the members of a row', () => {
  it('matched has one entry per positive clause and technology that fits, and says since when it is known', () => {
    const email = { any: { category: 'email' } };
    const { matched } = rowOf({ technologies: [email, { all: ['klaviyo'] }, { none: ['yotpo'] }] });
    const klaviyo = { technology: 'klaviyo', since: 'at_first_scan', install_state: 'active' };
    expect(matched).toHaveLength(3);
    expect(matched.filter(({ technology }) => technology === 'klaviyo')).toMatchObject([klaviyo, klaviyo]);
    expect(matched.find(({ technology }) => technology === 'omnisend')).toEqual({
      technology: 'omnisend',
      install_state: 'configured',
      since: 'observed',
      first_observed_at: laterScan,
      last_confirmed_at: laterScan,
    });
  });

  it('matched has only the technologies that fulfil the conditions of their clause', () => {
    const first_observed = { from: '2026-07-01T00:00:00Z' };
    const matchedOf = (conditions: object) =>
      rowOf({ technologies: [{ any: { category: 'email' }, ...conditions }] }).matched.map(
        ({ technology }) => technology,
      );
    expect(matchedOf({ first_observed })).toEqual(['omnisend']);
    expect(matchedOf({ first_observed, since_known: false })).toEqual(['klaviyo', 'omnisend']);
    expect(matchedOf({ install_state: ['active'] })).toEqual(['klaviyo']);
  });

  it('matched has a product under an earlier slug and the present one once, since it was seen first', () => {
    const technologies = [
      entryOf('klaviyo-old', { install_state: 'inactive', last_confirmed_at: firstScan }),
      entryOf('klaviyo', { first_observed_at: laterScan }),
    ];
    const of = { ...facts, body: { ...facts.body, technologies } };
    const matchedOf = (clause: object) =>
      rowFactsOf(of, parsedQuery({ where: { technologies: [clause] } }), { vocabulary }).matched;
    const klaviyo = { technology: 'klaviyo', install_state: 'active', since: 'at_first_scan' };
    expect(matchedOf({ any: ['klaviyo'] })).toMatchObject([klaviyo]);
    expect(matchedOf({ any: ['klaviyo'], first_observed: { from: laterScan } })).toEqual([]);
    expect(matchedOf({ any: ['klaviyo'], install_state: ['inactive'] })).toEqual([]);
    const { document } = documentOf(of, vocabulary);
    expect([document.tech_state, document.tech_first, document.tech_since]).toEqual([
      ['klaviyo@active@high'],
      ['klaviyo'],
      [],
    ]);
  });

  it('dropped has the removals in the window of technologies that are absent now, the latest first', () => {
    expect(rowOf({ dropped: [{ any: ['yotpo', 'klaviyo'] }] }).dropped).toEqual([
      {
        technology: 'yotpo',
        signal_id: facts.removed[0]?.signalId,
        effective_at: '2026-10-03T05:00:00.000Z',
        confirmed_at: '2026-10-03T05:00:00.001Z',
      },
      expect.objectContaining({ technology: 'yotpo', effective_at: '2026-08-20T05:00:00.000Z' }),
    ]);
    const effective = { from: '2026-10-01T00:00:00Z' };
    expect(rowOf({ dropped: [{ any: ['yotpo'], effective }] }).dropped).toHaveLength(1);
    expect(rowOf({ dropped: [{ none: ['dawn'] }] }).dropped).toEqual([]);
  });

  it('a store that does not match any more has changed since the edition', () => {
    expect(rowOf({ technologies: [{ any: ['klaviyo'] }] }).changedSinceEdition).toBe(false);
    expect(rowOf({ technologies: [{ any: ['mailchimp'] }] })).toEqual({
      matched: [],
      dropped: [],
      changedSinceEdition: true,
    });
  });
});
