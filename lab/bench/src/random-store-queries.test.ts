import { storeBody } from '@shopscope/profiles';
import { countRequest, documentOf, planFacets, rowsRequest, searchInMemory } from '@shopscope/store-search';
import { describe, expect, it } from 'vitest';
import { costliestCalls } from './costliest-store-queries.ts';
import { createRandom } from './random.ts';
import { queryOf, randomWheres } from './random-store-queries.ts';
import { searchVocabulary } from './search-vocabulary.ts';
import { generatedStore } from './store-corpus.ts';

const corpus = { stores: 300, nowMs: Date.UTC(2026, 9, 1) };

const documents = Array.from({ length: corpus.stores }, (_, n) => {
  const { profile, signals } = generatedStore(n, corpus.nowMs);
  const changes = signals.map(({ signal }) => ({
    ...signal,
    signalId: signal.id,
    slug: signal.technology,
    effectiveAtMs: signal.effectiveAt.getTime(),
    confirmedAtMs: signal.confirmedAt.getTime(),
  }));
  const facts = {
    domain: profile.domain,
    storefrontId: profile.domain,
    sequence: profile.sequence,
    body: JSON.parse(storeBody(profile, 'https://site.example').bytes.toString('utf8')),
    firstScanAtMs: profile.firstScanAt.getTime(),
    removed: changes.filter(({ type }) => type === 'technology_removed'),
    moved: [],
  };
  return documentOf(facts, searchVocabulary);
});

describe('randomWheres', () => {
  it('a random query has eight clauses, and a store matches it unless its observation was partial', () => {
    const next = randomWheres(createRandom(1), corpus);
    const queries = Array.from({ length: 100 }, () => queryOf(next()));
    const matched = queries.filter((query) => {
      const { technologies, dropped } = query.where;
      expect(technologies.length + dropped.length).toBeGreaterThanOrEqual(6);
      return searchInMemory(documents, rowsRequest(query, {}, { limit: 1 })).hits.hits.length > 0;
    });
    expect(matched.length).toBeGreaterThan(75);
  });

  it('two series of random queries with one seed are the same', () => {
    const [first, second] = [randomWheres(createRandom(2), corpus), randomWheres(createRandom(2), corpus)];
    for (let n = 0; n < 20; n++) expect(first()).toEqual(second());
  });
});

describe('costliestCalls', () => {
  it.each(costliestCalls)('the language allows: $name', ({ where, facets = [], facetSize = 10 }) => {
    const query = queryOf(where);
    const context = { vocabulary: searchVocabulary, facetSize, today: 20_261_130 };
    expect(countRequest(query, {}, planFacets(facets, query, context)).size).toBe(0);
  });
});

describe('generatedStore', () => {
  it('generated stores have fifteen technologies on average, and the most frequent one is in more than half of them', () => {
    const all = documents.map(({ document }) => document.tech);
    const mean = all.reduce((sum, tech) => sum + tech.length, 0) / all.length;
    expect(Math.abs(mean - 15)).toBeLessThan(1.5);
    expect(all.filter((tech) => tech.includes('google-analytics')).length).toBeGreaterThan(corpus.stores / 2);
    expect(documents.filter(({ document }) => document.dropped.length > 0).length).toBeGreaterThan(30);
  });
});
