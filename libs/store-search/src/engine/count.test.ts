import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { historyDays, randomCorpus, today } from '../../test/corpus.ts';
import { modelCount } from '../../test/model-count.ts';
import { randomQuery } from '../../test/queries.ts';
import { randomOf } from '../../test/random.ts';
import { refusedBy } from '../../test/refusal.ts';
import { parsedQuery } from '../../test/requests.ts';
import { vocabulary } from '../../test/vocabulary.ts';
import { documentOf } from '../document/document.ts';
import { dayOf } from '../language/days.ts';
import { historyWindowOf } from '../language/history-window.ts';
import { countRequest, type RawFacet, readCount } from './count.ts';
import { planFacets } from './facets.ts';
import { count } from './in-memory.ts';

const corpus = randomCorpus(21, 150);
const documents = corpus.map((facts) => documentOf(facts, vocabulary));
const random = randomOf(22);
const domains = corpus.map(({ domain }) => domain);
const lists = new Map(['lst_a', 'lst_b'].map((id) => [id, random.subset(domains, 0.5)]));
const windowText = new Date(today - historyDays * dayMs).toISOString().slice(0, 10);
const single = ['platform', 'country', 'industry', 'status'];
const multiple = ['technology', 'category', 'technology:category=email'];

function countOf(sent: { where: object }, facets: readonly string[], facetSize = 100) {
  const query = parsedQuery(sent);
  const windowFrom = historyWindowOf(query, { nowMs: today, historyDays })?.from;
  const context = { windowFrom, lists, vocabulary, facetSize, today: dayOf(today) };
  const plans = planFacets(facets, query, context);
  return readCount(query, plans, count(documents, countRequest(query, context, plans)));
}

const sumOf = ({ values, other = 0, unknown }: RawFacet) =>
  values.reduce((sum, { stores }) => sum + stores, 0) + other + unknown;

describe('random counts', () => {
  const cases = Array.from({ length: 300 }, () => randomQuery(random));

  it('totals, and the stores that cannot be judged, are those of the plain model', () => {
    let notJudged = 0;
    for (const sent of cases) {
      const model = modelCount(corpus, sent.where, { windowFrom: windowText, lists });
      expect(countOf(sent, []), JSON.stringify(sent)).toMatchObject({ total: model.total, notJudged: model.notJudged });
      notJudged += model.notJudged;
    }
    expect(notJudged).toBeGreaterThan(0);
  });

  it('facets count within the whole query, and what is not known is no value of theirs', () => {
    const unknown: Record<string, string> = { country: 'ZZ', industry: 'unclassified' };
    for (const sent of cases) {
      const model = modelCount(corpus, sent.where, { windowFrom: windowText, lists });
      for (const { field, values, unknown: stores } of countOf(sent, [...single, ...multiple]).facets) {
        const { [unknown[field] ?? '']: notKnown = 0, ...expected } = model.facets[field] ?? {};
        expect(Object.fromEntries(values.map((each) => [each.value, each.stores])), field).toEqual(expected);
        if (field in unknown) expect(stores).toBe(notKnown);
      }
    }
  });

  it('the values of a field with one value per store add up to the total, whatever the facet_size is', () => {
    for (const sent of cases) {
      for (const facetSize of [1, 2, 100]) {
        const { total, facets } = countOf(sent, single, facetSize);
        for (const facet of facets) expect(sumOf(facet), JSON.stringify({ sent, facet })).toBe(total);
      }
    }
  });
});

describe('facets by month', () => {
  it('the months of one technology add up to the total: listed, older, and there at the first scan', () => {
    for (const facetSize of [1, 2, 100]) {
      for (const condition of [
        {},
        { install_state: ['active'] },
        { first_observed: { from: '2026-09-15T00:00:00Z' } },
      ]) {
        const where = { technologies: [{ any: ['klaviyo'], ...condition }] };
        const { total, facets } = countOf({ where }, ['first_observed_month'], facetSize);
        expect(facets.map(sumOf)).toEqual([total]);
        expect(facets[0]?.unknown === 0).toBe('first_observed' in condition);
      }
    }
  });

  it('technologies that the first scan saw have no month, also in a query that includes them', () => {
    const facetOf = (since_known: boolean) => {
      const clause = { any: ['klaviyo'], first_observed: { from: '2026-01-01T00:00:00Z' }, since_known };
      return countOf({ where: { technologies: [clause] } }, ['first_observed_month']).facets[0];
    };
    const [known, every] = [facetOf(true), facetOf(false)];
    expect(every?.values).toEqual(known?.values);
    expect([known?.unknown, every?.unknown === 0]).toEqual([0, false]);
  });

  it('a month has the stores of a count whose first_observed is that month', () => {
    const clause = { any: ['klaviyo', 'yotpo'], confidence_min: 'medium' };
    const { facets } = countOf({ where: { technologies: [clause] } }, ['first_observed_month']);
    const months = facets[0]?.values ?? [];
    expect(months.map(({ value }) => value)).toEqual(
      months
        .map(({ value }) => value)
        .toSorted()
        .toReversed(),
    );
    for (const { value, stores } of months) {
      const [year, month] = value.split('-').map(Number) as [number, number];
      const to = new Date(Date.UTC(year, month, 0)).toISOString();
      const first_observed = { from: `${value}-01T00:00:00Z`, to };
      expect(stores).toBe(countOf({ where: { technologies: [{ ...clause, first_observed }] } }, []).total);
    }
  });

  it('a month of dropped has the stores of a count whose effective is that month, within the window of the plan', () => {
    const { facets } = countOf({ where: { dropped: [{ any: ['yotpo', 'dawn'] }] } }, ['dropped_month']);
    const october = facets[0]?.values.find(({ value }) => value === '2026-10');
    const effective = { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' };
    expect(october?.stores).toBe(countOf({ where: { dropped: [{ any: ['yotpo', 'dawn'], effective }] } }, []).total);
    expect(facets[0]?.values.at(-1)?.value).toBe('2026-09');
  });

  it('a facet that the query cannot have is refused with its place', () => {
    const messageOf = (facets: string[], where: object, facetSize?: number) =>
      refusedBy(() => countOf({ where }, facets, facetSize));
    const none = { technologies: [{ none: ['yotpo'] }] };
    expect(messageOf(['country', 'first_observed_month'], none)).toMatch(/^facets\[1\]: must be sent with a clause/);
    expect(messageOf(['dropped_month'], {})).toMatch(/^facets\[0\]: must be sent with a clause/);
    expect(messageOf(['technology:category=emial'], {})).toMatch(/^facets\[0\]: .*near ones: email$/);
    const wide = { technologies: [{ any: { category: ['email', 'reviews', 'themes'] } }] };
    expect(messageOf(['first_observed_month'], wide, 100)).toBe(
      'facets[0]: must have at most 74 months with these clauses, so facet_size must be smaller',
    );
  });
});
