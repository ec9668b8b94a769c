import { bulkFailures, connectOpenSearch, failureOf, fromOpenSearch, requireWhole } from '@shopscope/opensearch';
import { openSearchOptions, silentTelemetry, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const namespace = testNamespace('opensearch-errors');
let openSearch: ReturnType<typeof connectOpenSearch>;
const index = `${namespace.indexPrefix}stores`;

beforeAll(async () => {
  openSearch = connectOpenSearch({ ...(await openSearchOptions(namespace)), ...silentTelemetry() });
  await openSearch.client.indices.create({
    index,
    body: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { dynamic: 'strict', properties: { domain: { type: 'keyword' } } },
    },
  });
});
afterAll(async () => {
  await namespace.cleanup();
  await openSearch.close();
});

const errorOf = (request: PromiseLike<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  );
const write = (version: number, body: object) =>
  openSearch.client.index({ index, id: 'a', version, version_type: 'external_gte', body });
const setBlock = (block: string, on: boolean | null) =>
  openSearch.client.indices.putSettings({ index, body: { [`index.blocks.${block}`]: on } });

describe('errors of OpenSearch', () => {
  it('an older version is a version conflict, and the same version is none', async () => {
    await write(7, { domain: 'a.example' });
    await write(7, { domain: 'a.example' });
    const error = await errorOf(write(6, { domain: 'older.example' }));
    expect(failureOf(error)).toBe('version_conflict');
    expect(fromOpenSearch(error)).toMatchObject({ code: 'internal', retryable: false });
  });

  it('an unknown field of a document is a failure of the strict mapping, which is not retryable', async () => {
    const error = await errorOf(write(8, { unknown: 1 }));
    expect(failureOf(error)).toBe('strict_mapping');
    expect(fromOpenSearch(error)).toMatchObject({ code: 'internal', retryable: false });
  });

  it('a missing index and a lost point in time are not found', async () => {
    const { client } = openSearch;
    expect(failureOf(await errorOf(client.search({ index: `${index}-missing` })))).toBe('not_found');
    const { body } = await client.createPit({ index: [index], keep_alive: '1m' });
    const pit = { id: body.pit_id as string, keep_alive: '1m' };
    await client.search({ body: { pit } });
    await client.deletePit({ body: { pit_id: [pit.id] } });
    expect(failureOf(await errorOf(client.search({ body: { pit } })))).toBe('not_found');
  });

  it('the failures of a bulk request have the position of their action, its id and their kind', async () => {
    const action = (id: string, version: number) => ({
      index: { _index: index, _id: id, version, version_type: 'external_gte' },
    });
    const documents = [
      [action('a', 1), { domain: 'older.example' }],
      [action('b', 1), { domain: 'b.example' }],
      [action('c', 1), { unknown: 1 }],
    ];
    const { body } = await openSearch.client.bulk({ body: documents.flat() });
    expect(bulkFailures(body as never)).toEqual([
      { position: 0, id: 'a', kind: 'version_conflict', message: expect.stringContaining('[a]: version conflict') },
      { position: 2, id: 'c', kind: 'strict_mapping', message: expect.stringContaining('[unknown]') },
    ]);
    const whole = await openSearch.client.bulk({ body: [action('b', 2), { domain: 'b.example' }] });
    expect(bulkFailures(whole.body as never)).toEqual([]);
  });

  it.each(['write', 'read_only', 'read_only_allow_delete'])(
    'an index that is blocked by %s makes a write unavailable, and a bulk write as well',
    async (block) => {
      await setBlock(block, true);
      const error = await errorOf(write(9, { domain: 'a.example' }));
      expect(failureOf(error)).toBe('unavailable');
      expect(fromOpenSearch(error)).toMatchObject({ code: 'unavailable', retryable: true });
      const { body } = await openSearch.client.bulk({
        body: [{ index: { _index: index, _id: 'd' } }, { domain: 'd' }],
      });
      expect(bulkFailures(body as never)).toMatchObject([{ position: 0, kind: 'unavailable' }]);
      await setBlock(block, null);
      await write(9, { domain: 'a.example' });
    },
  );

  it('the cause of a translated error has the reason and not the request', async () => {
    const secret = 'a-query-of-a-caller';
    const error = fromOpenSearch(
      await errorOf(openSearch.client.search({ index, body: { query: { [secret]: {} } as never } })),
    );
    expect(error.cause).toMatchObject({ name: 'ResponseError', message: expect.stringContaining('parsing_exception') });
    expect(Object.keys(error.cause as object)).toEqual(['name']);
  });

  it('a response that does not cover every shard in time is unavailable', async () => {
    const { body } = await openSearch.client.search({ index });
    expect(() => requireWhole(body)).not.toThrow();
    const { total } = body._shards;
    expect(() => requireWhole({ ...body, timed_out: true })).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(() => requireWhole({ ...body, _shards: { total: total + 1, successful: total } })).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
  });
});
