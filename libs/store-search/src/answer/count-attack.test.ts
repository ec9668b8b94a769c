import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { randomCorpus, today } from '../../test/corpus.ts';
import { differenceOf, knownOf, oracleOf } from '../../test/count-attack.ts';
import { categories, countries, technologies, vocabulary } from '../../test/vocabulary.ts';
import { documentOf } from '../document/document.ts';
import type { StoreFacts } from '../document/facts.ts';
import { maxFacets } from '../language/bounds.ts';

/**
 * What it costs to learn a technology of one store from counts, which are free. A look-up costs one unit and tells everything. These tests
 * hold the costs that decision 92 accepts: a change that makes an attack cheaper fails.
 */
const corpus = randomCorpus(31, 1_500).filter(({ body }) => body.status.state === 'active_storefront');
const documents = corpus.map((facts) => documentOf(facts, vocabulary));
const slugs = technologies.map(({ slug }) => slug);
const has = ({ body }: StoreFacts, slug: string) => body.technologies.some((each) => each.slug === slug);

/** Stores that are alone with what anyone sees of them. */
const textOf = (facts: StoreFacts) => JSON.stringify(knownOf(facts));
const seen = Map.groupBy(
  corpus.filter(({ body }) => body.catalog.coverage !== 'none'),
  textOf,
);
const targets = [...seen.values()].flatMap((stores) => (stores.length === 1 ? stores : [])).slice(0, 10);

/** What is known of a store as one query. Its bounds of products are inclusive and in steps of ten, so the cell has one number more. */
const cellOf = (facts: StoreFacts) => {
  const { platform, country, industry, withStore, withoutStore } = knownOf(facts);
  const products = { min: withStore.products.min, max: withoutStore.products.min };
  return { platform: { any: [platform] }, country: { any: [country] }, industry: { any: [industry] }, products };
};
const isAloneInCell = (facts: StoreFacts) => oracleOf(documents).exactTotalOf(cellOf(facts)) === 1;
const hidden = { value: 5, relation: 'lt' };
const zero = { value: 0, relation: 'eq' };

describe('the cost of an attack on counts', () => {
  it('a store that is alone with what anyone sees of it loses a technology to a few differences of totals', () => {
    const oracle = oracleOf(documents);
    let learned = 0;
    for (const target of targets) {
      for (const slug of slugs.slice(0, 4)) {
        const found = differenceOf(knownOf(target), (where) => {
          const { total } = oracle.ask({ ...where, technologies: [{ any: [slug] }] });
          return total.relation === 'lt' ? undefined : total.value;
        });
        if (found === undefined) continue;
        learned += 1;
        expect(found).toBe(Number(has(target, slug)));
      }
    }
    expect(learned).toBe(targets.length * 4);
    // A look-up tells every technology of a store for one unit. A count is free.
    const perTechnology = oracle.asked / learned;
    expect(perTechnology).toBeGreaterThan(2);
    expect(perTechnology).toBeLessThan(20);
  });

  it('one count tells that a store which is alone in its cell lacks a technology, or that it lacks twenty', () => {
    const oracle = oracleOf(documents);
    let learned = 0;
    for (const target of targets.filter(isAloneInCell)) {
      const totalOf = (any: string[]) => oracle.ask({ ...cellOf(target), technologies: [{ any }] }).total;
      const lacked = slugs.filter((slug) => !has(target, slug));
      for (const slug of slugs) expect(totalOf([slug])).toEqual(has(target, slug) ? hidden : zero);
      expect(totalOf(lacked)).toEqual(zero);
      learned += slugs.length;
      // The one count of all that the store lacks.
      oracle.asked -= 1;
    }
    expect(learned).toBeGreaterThan(0);
    expect(oracle.asked).toBe(learned);
  });

  it('the day since when that store has a technology costs a count for each halving of the time', () => {
    const days = Array.from({ length: 128 }, (_, at) => new Date(today - at * dayMs).toISOString()).reverse();
    let learned = 0;
    for (const target of targets.filter(isAloneInCell)) {
      for (const { slug, first_observed_at: firstObservedAt } of target.body.technologies) {
        const oracle = oracleOf(documents);
        let [low, high] = [0, days.length - 1];
        while (low < high) {
          const middle = Math.floor((low + high) / 2);
          const first_observed = { from: days[low], to: days[middle] };
          const technologies = [{ any: [slug], first_observed, since_known: false }];
          if (oracle.ask({ ...cellOf(target), technologies }).total.relation === 'lt') high = middle;
          else low = middle + 1;
        }
        expect(days[low]?.slice(0, 10)).toBe(firstObservedAt.slice(0, 10));
        expect(oracle.asked).toBe(Math.log2(days.length));
        learned += 1;
      }
    }
    expect(learned).toBeGreaterThan(0);
  });

  it('facets tell many technologies of that store for the price of one', () => {
    const oracle = oracleOf(documents);
    const facets = categories.map((category) => `technology:category=${category}`);
    let learned = 0;
    for (const target of targets) {
      const answers = new Map<string, ReturnType<typeof oracle.ask>>();
      const answerOf = (where: object) => {
        const text = JSON.stringify(where);
        const answer = answers.get(text) ?? oracle.ask(where, facets);
        answers.set(text, answer);
        return answer.facets.flatMap(({ values }) => values);
      };
      for (const slug of slugs) {
        const found = differenceOf(
          knownOf(target),
          (where) => answerOf(where).find(({ value }) => value === slug)?.stores,
        );
        if (found === undefined) continue;
        learned += 1;
        expect(found).toBe(Number(has(target, slug)));
      }
    }
    // A value below the floor is not told apart from an absent one, so some technologies stay unknown.
    expect(learned / (targets.length * slugs.length)).toBeGreaterThan(0.8);
    expect(oracle.asked / learned).toBeLessThan(2);
    // The store is in the difference of two counts, each with eight facets.
    expect(facets.length).toBeLessThanOrEqual(maxFacets);
    expect(oracle.asked / targets.length).toBeGreaterThanOrEqual(2);
  });

  it('counts over a list of one store, with every facet, tell nothing of the store', () => {
    const oracle = oracleOf(documents);
    const facets = ['platform', 'country', 'industry', 'status', 'technology', 'category'];
    const answers = new Set<string>();
    for (const target of targets) {
      oracle.lists.set('lst_a', [target.domain]);
      for (const where of [
        {},
        ...slugs.flatMap((slug) => [{ technologies: [{ any: [slug] }] }, { technologies: [{ none: [slug] }] }]),
      ])
        answers.add(JSON.stringify(oracle.ask({ ...where, list: { any: ['lst_a'] } }, facets)));
    }
    expect([...answers]).toEqual([JSON.stringify({ total: { value: 10, relation: 'lt' }, facets: [] })]);
  });

  it('a count without one store tells nothing beside the same count with it, however the numbers are rounded', () => {
    const oracle = oracleOf(documents);
    const facets = ['technology', 'country', 'platform'];
    let edges = 0;
    for (const target of targets) {
      oracle.lists.set('lst_a', [target.domain]);
      for (const min of [0, 10, 20, 30, 40]) {
        for (const country of countries) {
          const where = { products: { min }, country: { any: [country] } };
          const { total, facets: exact } = oracle.ask(where, facets);
          const listed = oracle.ask({ ...where, list: { none: ['lst_a'] } }, facets);
          const rounded = (stores: number) => Math.round(stores / 10) * 10;
          const relation = total.value < 10 ? 'lt' : 'approx';
          expect(listed.total).toEqual({ value: total.value < 10 ? 10 : rounded(total.value), relation });
          if (relation === 'lt') continue;
          // The technologies and their numbers are those of all stores, in the same order.
          const shown = exact[0]?.values.filter(({ stores }) => stores >= 10);
          expect(listed.facets[0]?.values).toEqual(shown?.map((each) => ({ ...each, stores: rounded(each.stores) })));
          // One store less would be seen at these numbers.
          edges += [total.value, ...(shown ?? []).map(({ stores }) => stores)].filter(
            (stores) => stores === 10 || stores % 10 === 5,
          ).length;
        }
      }
    }
    expect(edges).toBeGreaterThan(50);
  });

  it('facets of a list of known stores and one more tell no technology of that store that few of them have', () => {
    const oracle = oracleOf(documents);
    const known = corpus.filter((facts) => !targets.includes(facts)).slice(0, 30);
    const isRare = (slug: string) => known.filter((facts) => has(facts, slug)).length < 9;
    for (const [at, target] of targets.entries()) {
      const stores = (more: StoreFacts[]) => [...known.slice(0, 24), ...more].map(({ domain }) => domain);
      const answers = [target, known[24 + (at % 6)] as StoreFacts].map((last) => {
        oracle.lists.set('lst_a', stores([last]));
        return oracle.ask({ list: { any: ['lst_a'] } }, ['technology']).facets[0];
      });
      for (const slug of slugs.filter(isRare))
        expect(answers.map((facet) => facet?.values.some(({ value }) => value === slug))).toEqual([false, false]);
      expect(answers.map((facet) => [facet?.other, facet?.unknown])).toEqual([
        [null, null],
        [null, null],
      ]);
    }
  });

  it('a list that is filled up to the edge of rounding tells a technology with one count, after nine look-ups', () => {
    const oracle = oracleOf(documents);
    const [slug = ''] = slugs;
    const bought = corpus.filter((facts) => has(facts, slug)).slice(0, 9);
    for (const target of targets) {
      if (bought.includes(target)) continue;
      oracle.lists.set(
        'lst_a',
        [...bought, target].map(({ domain }) => domain),
      );
      const { total } = oracle.ask({ list: { any: ['lst_a'] }, technologies: [{ any: [slug] }] });
      expect(total.relation === 'approx').toBe(has(target, slug));
    }
    expect(oracle.asked).toBeLessThanOrEqual(targets.length);
  });
});
