import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { noCounts } from './counts.ts';
import { createGreedyRequests } from './greedy-requests.ts';
import { batchSize, bodyBytes, longInput, slowReadEveryMs, unsentBytes } from './offered-load.ts';

type Handle = (request: IncomingMessage, response: ServerResponse, body: Promise<string>) => void;

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function neighbourOf(handle: Handle) {
  const server = createServer((request, response) => {
    const body = request.toArray().then((chunks) => Buffer.concat(chunks).toString());
    // The test itself ends the body early.
    body.catch(() => {});
    handle(request, response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gatewayUrls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  const counts = noCounts();
  const mcp = { url: gatewayUrls[0] as string, secrets: ['mcp-1', 'mcp-2'] };
  const options = { gatewayUrls, secret: 'secret', testSecret: 'test', mcp, known: ['a.example'], seed: 1 };
  const requests = createGreedyRequests(options, counts);
  cleanups.push(() => {
    requests.closeAll();
    server.closeAllConnections();
    server.close();
  });
  return { requests, counts };
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

it('a batch has as many entries as the plan admits, and its outcome is counted', async () => {
  const statuses = [200, 429, 503, 402, 500];
  const bodies: string[] = [];
  const { requests, counts } = await neighbourOf(async (_, response, body) => {
    bodies.push(await body);
    response.writeHead(statuses.shift() ?? 200).end();
  });
  for (const send of [requests.fullBatch, requests.largeInputs, requests.fullBatch, requests.fullBatch]) send();
  requests.fullBatch();
  await eventually(() =>
    expect(counts).toMatchObject({
      'neighbour executed': 1,
      'neighbour refused by limits': 2,
      'neighbour out of units': 1,
      'neighbour failed': 1,
    }),
  );
  const batches = bodies.map((body) => JSON.parse(body).domains as string[]);
  expect(batches.every((domains) => domains.length === batchSize)).toBe(true);
  expect(bodies.every((body) => Buffer.byteLength(body) <= bodyBytes)).toBe(true);
  expect(batches.some(([domain]) => domain === longInput)).toBe(true);
});

it('the test key sends batches, scans, documents and resets with keys of its own, and their outcomes are counted apart', async () => {
  const statuses = [200, 204, 429, 402, 500];
  const seen: string[] = [];
  const { requests, counts } = await neighbourOf(async ({ url, headers }, response, body) => {
    const sent = await body;
    const { domains, refresh, variables } = sent === '' ? {} : JSON.parse(sent);
    seen.push(
      [url, headers.authorization, domains?.length, refresh, variables?.domains.length].filter(Boolean).join(' '),
    );
    response.writeHead(statuses.shift() ?? 200).end();
  });
  for (const send of [requests.testBatch, requests.testScans, requests.testDocument, requests.testReset]) send();
  requests.testBatch();
  await eventually(() =>
    expect(counts).toMatchObject({
      'test executed': 2,
      'test refused by limits': 1,
      'test out of units': 1,
      'test failed': 1,
      'neighbour executed': 0,
    }),
  );
  expect(new Set(seen)).toEqual(
    new Set([
      `/v1/stores/enrich Bearer test ${batchSize}`,
      `/v1/stores/enrich Bearer test ${batchSize} true`,
      `/v1/graphql Bearer test ${batchSize}`,
      '/v1/test/reset Bearer test',
    ]),
  );
});

it('an open body sends all but the last bytes, and is counted as cut when the server closes it', async () => {
  let received = 0;
  const { requests, counts } = await neighbourOf((request) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received === bodyBytes - unsentBytes) request.socket.destroy();
    });
  });
  requests.openBody();
  await eventually(() => expect(counts).toMatchObject({ 'open bodies': 1, 'open bodies cut': 1 }));
});

it('a slow read takes a few bytes at a time and leaves most of a large response in the server', async () => {
  const { setTimeout } = globalThis;
  const timers = vi.spyOn(globalThis, 'setTimeout');
  // The pause of the slow read does not end, however long the other reads take.
  timers.mockImplementation(((callback: () => void, delayMs: number) =>
    setTimeout(delayMs === slowReadEveryMs ? () => {} : callback, delayMs)) as typeof setTimeout);
  const large = Buffer.alloc(8_000_000);
  const others = 40;
  const { requests, counts } = await neighbourOf((_, response) => response.end(large));
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const slow = await neighbourOf((_, response) => resolve(response.end(large)));
  slow.requests.slowRead();
  const response = await promise;
  for (let n = 0; n < others; n++) requests.fullBatch();
  // The other responses are read whole in the meantime.
  await eventually(() => expect(counts['neighbour executed']).toBe(others));
  expect(response.writableFinished).toBe(false);
  expect(timers.mock.calls.filter(([, delayMs]) => delayMs === slowReadEveryMs)).toHaveLength(1);
  expect(slow.counts).toMatchObject({ 'slow reads': 1, 'slow reads cut': 0 });
});

it('a caller that hangs up gets no response, and closing everything counts nothing', async () => {
  const { requests, counts } = await neighbourOf(() => {});
  requests.hangUp();
  requests.slowRead();
  requests.fullBatch();
  requests.closeAll();
  await new Promise((done) => setImmediate(done));
  expect(counts).toMatchObject({ 'hang-ups': 1, 'slow reads cut': 0, 'neighbour failed': 0 });
});

it('keys that do not exist and malformed keys are counted when they are refused', async () => {
  const tokens = new Set<string | undefined>();
  const { requests, counts } = await neighbourOf(async ({ headers }, response, body) => {
    tokens.add(headers.authorization);
    await body;
    response.writeHead(401).end();
  });
  for (const send of [requests.wrongKey, requests.wrongKey, requests.malformedKey]) send();
  await eventually(() => expect(counts['wrong keys refused']).toBe(3));
  expect(tokens.size).toBe(3);
});

it('messages over MCP take turns with the keys for it, and their outcome is counted', async () => {
  const statuses = [200, 429, 503, 500];
  const seen: unknown[] = [];
  const { requests, counts } = await neighbourOf(async ({ url, headers }, response, body) => {
    seen.push([url, headers.authorization, JSON.parse(await body).method]);
    response.writeHead(statuses.shift() ?? 200).end();
  });
  for (let n = 0; n < 4; n++) requests.mcpPing();
  await eventually(() =>
    expect(counts).toMatchObject({ 'MCP answered': 1, 'MCP refused by limits': 2, 'MCP failed': 1 }),
  );
  expect(seen.filter((each) => JSON.stringify(each) === '["/mcp","Bearer mcp-1","ping"]')).toHaveLength(2);
  expect(seen.filter((each) => JSON.stringify(each) === '["/mcp","Bearer mcp-2","ping"]')).toHaveLength(2);
});

it('a slow body over MCP sends all but its last byte and stays open', async () => {
  const received = Promise.withResolvers<string>();
  const { requests, counts } = await neighbourOf((request) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.length === Number(request.headers['content-length']) - 1) received.resolve(text);
    });
  });
  requests.mcpSlowBody();
  expect(await received.promise).toMatch(/"method":"ping"$/);
  expect(counts).toMatchObject({ 'MCP slow bodies': 1, 'most MCP slow bodies at once': 1 });
});
