import { dayMs } from '@shopscope/clock';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../src/document/document.ts';
import { countRequest, readCount } from '../src/engine/count.ts';
import { planFacets } from '../src/engine/facets.ts';
import { count } from '../src/engine/in-memory.ts';
import { rowsRequest } from '../src/engine/rows.ts';
import { dayOf } from '../src/language/days.ts';
import { historyWindowOf } from '../src/language/history-window.ts';
import type { StoreQuery } from '../src/query.ts';
import { historyDays, randomCorpus, today } from './corpus.ts';
import { type EngineIndex, engineIndex } from './engine-client.ts';
import { inOrder, matches } from './model.ts';
import { randomQuery } from './queries.ts';
import { randomOf } from './random.ts';
import { parsedQuery } from './requests.ts';
import { vocabulary } from './vocabulary.ts';

/** The random stores and queries of the unit tests, with OpenSearch instead of the plain engine. */
const namespace = testNamespace('store-search');
const facets = ['platform', 'country', 'industry', 'status', 'technology', 'category', 'technology:category=email'];

describe('searches in OpenSearch', () => {
  const corpus = randomCorpus(41, 400);
  const documents = corpus.map((facts) => documentOf(facts, vocabulary));
  const random = randomOf(42);
  const domains = corpus.map(({ domain }) => domain);
  const lists = new Map(['lst_a', 'lst_b'].map((id) => [id, random.subset(domains, 0.5)]));
  const cases = Array.from({ length: 100 }, () => {
    const sent = randomQuery(random);
    return { sent, query: parsedQuery(sent) };
  });
  const windowOf = (query: StoreQuery) => historyWindowOf(query, { nowMs: today, historyDays })?.from;
  const windowFrom = new Date(today - historyDays * dayMs).toISOString().slice(0, 10);
  let index: EngineIndex;

  beforeAll(async () => {
    index = engineIndex(await namespace.openSearchUrl(), `${namespace.indexPrefix}stores`);
    await index.create();
    await index.write(documents);
  });
  afterAll(() => namespace.cleanup());

  it('the rows of a query in OpenSearch are those of the plain model, in their order, page by page', async () => {
    for (const { sent, query } of cases) {
      const expected = inOrder(corpus, sent.sort).filter((facts) => matches(facts, sent.where, { windowFrom, lists }));
      const context = { windowFrom: windowOf(query), lists };
      const walked: string[] = [];
      let after: readonly (string | number)[] | undefined;
      for (;;) {
        const page = await index.rows(rowsRequest(query, context, { limit: 50, after }));
        walked.push(...page.map(({ id }) => id));
        after = page.at(-1)?.sort;
        if (page.length < 50) break;
      }
      expect(walked, JSON.stringify(sent)).toEqual(expected.map(({ domain }) => domain));
    }
  });

  it('the counts and facets of OpenSearch are those of the plain engine, over two shards', async () => {
    for (const { sent, query } of cases) {
      const context = { windowFrom: windowOf(query), lists, vocabulary, facetSize: 2, today: dayOf(today) };
      const hasPositive = sent.where.technologies?.some(({ none }) => !none) ?? false;
      const plans = planFacets([...facets, ...(hasPositive ? ['first_observed_month'] : [])], query, context);
      const request = countRequest(query, context, plans);
      expect(readCount(query, plans, await index.count(request)), JSON.stringify(sent)).toEqual(
        readCount(query, plans, count(documents, request)),
      );
    }
  });

  it('an earlier version of a document changes nothing, and the same version may be written again', async () => {
    const [document] = documents;
    if (!document) throw new Error('the corpus is empty');
    const other = { ...document, document: { ...document.document, platform: 'custom' } };
    expect(await index.write([{ ...other, version: document.version - 1 }])).toEqual([409]);
    expect(await index.write([document])).toEqual([200]);
    const rows = await index.rows(rowsRequest(parsedQuery({}), {}, { limit: 200 }));
    const versions = new Map(documents.map(({ id, version }) => [id, version]));
    for (const { id, version } of rows) expect(version).toBe(versions.get(id));
  });

  it('a document with a member that the index does not have is refused', async () => {
    const [document] = documents;
    if (!document) throw new Error('the corpus is empty');
    const { document: members, ...rest } = document;
    expect(await index.write([{ ...rest, document: { ...members, unheard_of: 'x' } as typeof members }])).toEqual([
      400,
    ]);
  });
});
