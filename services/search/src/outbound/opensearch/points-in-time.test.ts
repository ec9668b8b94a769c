import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectOpenSearch, type OpenSearch } from '@shopscope/opensearch';
import { silentTelemetry } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPointsInTime } from './points-in-time.ts';

/** A real engine sends partial responses only by chance, so a server in its place sends them. */
describe('partial responses of the engine', () => {
  let server: Server;
  let openSearch: OpenSearch;
  let answer: { status: number; body: object };
  let asked: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.method === 'POST') asked = request.url ?? '';
      response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.body ?? {}));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const nodes = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
    openSearch = connectOpenSearch({ nodes, indexPrefix: '', ...silentTelemetry() });
  });
  afterAll(async () => {
    await openSearch?.close();
    server?.close();
  });

  const shards = (successful: number, skipped = 0) => ({ total: 2, successful, skipped, failed: 2 - successful });
  const respond = (members: object, status = 200) => {
    answer = {
      status,
      body: { timed_out: false, _shards: shards(2), hits: { total: { value: 7 }, hits: [] }, ...members },
    };
  };

  it('a whole response is returned, and the engine is asked for no partial one', async () => {
    respond({});
    const views = createPointsInTime(openSearch);
    expect((await views.search('view', {}, { timeoutMs: 1_000 }))?.hits.total?.value).toBe(7);
    expect(await views.keep('view', '1m')).toEqual({ stores: 7 });
    expect(asked).toContain('allow_partial_search_results=false');
  });

  it.each([
    ['timed out', { timed_out: true }],
    ['lacks a shard', { _shards: shards(1) }],
  ])('a response with status 200 that %s is unavailable and never an exact number', async (_, members) => {
    respond(members);
    const views = createPointsInTime(openSearch);
    await expect(views.search('view', {}, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(views.keep('view', '1m')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a view whose node is gone is gone, and one whose shard does not respond is unreachable', async () => {
    const views = createPointsInTime(openSearch);
    respond({ error: { type: 'search_phase_execution_exception' } }, 404);
    expect(await views.search('view', {}, { timeoutMs: 1_000 })).toBeUndefined();
    expect(await views.keep('view', '1m')).toBe('gone');
    respond({ error: { type: 'search_phase_execution_exception' } }, 503);
    expect(await views.keep('view', '1m')).toBe('unreachable');
    await expect(views.search('view', {}, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
