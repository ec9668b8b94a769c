import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { historyDays, randomCorpus, today } from '../../test/corpus.ts';
import { inOrder, matches } from '../../test/model.ts';
import { randomQuery } from '../../test/queries.ts';
import { randomOf } from '../../test/random.ts';
import { parsedQuery } from '../../test/requests.ts';
import { vocabulary } from '../../test/vocabulary.ts';
import { rowFactsOf } from '../answer/row.ts';
import { documentOf } from '../document/document.ts';
import { historyWindowOf } from '../language/history-window.ts';
import type { StoreQuery } from '../query.ts';
import { searchRows } from './in-memory.ts';
import { rowsRequest } from './rows.ts';

const seeds = [1, 2];
const queriesPerSeed = 400;
const windowFrom = new Date(today - historyDays * dayMs).toISOString().slice(0, 10);

const windowOf = (query: StoreQuery) => historyWindowOf(query, { nowMs: today, historyDays })?.from;

describe.each(seeds)('random stores and queries of seed %i', (seed) => {
  const corpus = randomCorpus(seed, 120);
  const documents = corpus.map((facts) => documentOf(facts, vocabulary));
  const random = randomOf(1_000 + seed);
  const domains = corpus.map(({ domain }) => domain);
  const lists = new Map(['lst_a', 'lst_b'].map((id) => [id, random.subset(domains, 0.5)]));
  const cases = Array.from({ length: queriesPerSeed }, () => {
    const sent = randomQuery(random);
    return { sent, query: parsedQuery(sent) };
  });

  it('the rows of a query are those of the plain model, in their order', () => {
    let found = 0;
    for (const { sent, query } of cases) {
      const expected = inOrder(corpus, sent.sort).filter((facts) => matches(facts, sent.where, { windowFrom, lists }));
      const request = rowsRequest(query, { windowFrom: windowOf(query), lists }, { limit: corpus.length });
      expect(
        searchRows(documents, request).map(({ id }) => id),
        JSON.stringify(sent),
      ).toEqual(expected.map(({ domain }) => domain));
      found += expected.length;
    }
    expect(found).toBeGreaterThan(queriesPerSeed);
  });

  it('pages that follow each other have every row once, also between rows with equal values', () => {
    for (const { query } of cases.slice(0, 100)) {
      const context = { windowFrom: windowOf(query), lists };
      const whole = searchRows(documents, rowsRequest(query, context, { limit: corpus.length }));
      const walked: string[] = [];
      let after: readonly (string | number)[] | undefined;
      for (;;) {
        const page = searchRows(documents, rowsRequest(query, context, { limit: 7, after }));
        walked.push(...page.map(({ id }) => id));
        after = page.at(-1)?.sort;
        if (page.length < 7) break;
      }
      expect(walked).toEqual(whole.map(({ id }) => id));
    }
  });

  it('a row has changed since the edition exactly when the plain model does not match the store', () => {
    for (const { sent, query } of cases) {
      // A row is in the lists of its query already.
      const { list: _, ...where } = sent.where;
      for (const facts of corpus.slice(0, 40)) {
        const { changedSinceEdition } = rowFactsOf(facts, query, { vocabulary, windowFrom: windowOf(query) });
        const isMatch = matches(facts, where, { windowFrom, lists });
        expect(changedSinceEdition, JSON.stringify({ where, facts })).toBe(!isMatch);
      }
    }
  });
});
