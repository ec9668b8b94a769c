import { setImmediate as turn } from 'node:timers/promises';
import { connectOpenSearch, fromOpenSearch, type OpenSearch, type OpenSearchOptions } from '@shopscope/opensearch';
import {
  openSearchOptions,
  silentTelemetry,
  startTcpProxy,
  type TcpProxy,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

/** Two proxies in front of one server are two nodes for the client. */
describe('client of OpenSearch', () => {
  const namespace = testNamespace('opensearch-connect');
  const index = `${namespace.indexPrefix}stores`;
  let options: OpenSearchOptions;
  let proxies: [TcpProxy, TcpProxy];
  let openSearch: OpenSearch;

  beforeAll(async () => {
    options = await openSearchOptions(namespace);
    const server = new URL(options.nodes[0] as string);
    proxies = [await startTcpProxy(server), await startTcpProxy(server)];
  });
  afterEach(async () => {
    for (const proxy of proxies) proxy.thaw();
    await openSearch.close();
  });
  afterAll(async () => {
    await namespace.cleanup();
    for (const proxy of proxies) await proxy.close();
  });

  const through = (nodes: readonly TcpProxy[], over: Partial<OpenSearchOptions> = {}) => {
    openSearch = connectOpenSearch({
      ...options,
      ...silentTelemetry(),
      nodes: nodes.map(({ port }) => `http://127.0.0.1:${port}`),
      heartbeatMs: 50,
      ...over,
    });
    return openSearch;
  };
  const health = ({ client }: OpenSearch) =>
    client.cluster.health().catch((error: unknown) => {
      throw fromOpenSearch(error);
    });
  const aliveNodes = ({ client }: OpenSearch) =>
    client.connectionPool.connections.filter(({ status }) => status === 'alive').length;

  it('a client of OpenSearch starts without a server, and is available when the server responds', async () => {
    const [proxy] = proxies;
    await proxy.refuse();
    const { available } = through([proxy]);
    expect(available).toBe(false);
    await expect(health(openSearch)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    await proxy.accept();
    await waitUntil('the client to be available', () => openSearch.available);
    await health(openSearch);
  });

  it('a client of OpenSearch is unavailable while the server is gone, and recovers by itself', async () => {
    const [proxy] = proxies;
    through([proxy]);
    await waitUntil('the client to be available', () => openSearch.available);
    await proxy.refuse();
    await waitUntil('the client to be unavailable', () => !openSearch.available);
    await expect(health(openSearch)).rejects.toMatchObject({ code: 'unavailable' });
    await proxy.accept();
    await waitUntil('the client to be available', () => openSearch.available);
    await health(openSearch);
  });

  it('a client of OpenSearch uses the other node while one is gone, and both again when it has come back', async () => {
    through(proxies);
    await waitUntil('both nodes to be alive', () => openSearch.available && aliveNodes(openSearch) === 2);
    await proxies[0].refuse();
    for (let request = 0; request < 10; request++) await health(openSearch);
    await waitUntil('one node to be excluded', () => aliveNodes(openSearch) === 1);
    expect(openSearch.available).toBe(true);
    await proxies[0].accept();
    await waitUntil('the node to be included again', () => aliveNodes(openSearch) === 2);
  });

  it('a request of OpenSearch over its time limit is unavailable, and is not sent again', {
    tags: ['wall-clock'],
  }, async () => {
    through(proxies, { requestTimeoutMs: 300 });
    await waitUntil('the client to be available', () => openSearch.available);
    let attempts = 0;
    openSearch.client.on('request', () => {
      attempts += 1;
    });
    for (const proxy of proxies) proxy.freeze();
    await expect(health(openSearch)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'Request timed out' },
    });
    expect(attempts).toBe(1);
    await waitUntil('the client to be unavailable', () => !openSearch.available);
  });

  it('a client of OpenSearch measures requests by operation and outcome, and nodes by their health', async () => {
    const telemetry = silentTelemetry();
    through(proxies, telemetry);
    await waitUntil('both nodes to be alive', () => openSearch.available && aliveNodes(openSearch) === 2);
    await openSearch.client.indices.create({ index });
    await openSearch.client.search({ index });
    await openSearch.client.search({ index: `${index}-missing` }).catch(() => {});
    await turn();
    const text = await telemetry.registry.metrics();
    expect(text).toMatch(/opensearch_request_duration_seconds_count\{.*operation="search",outcome="ok".*\} 1/);
    expect(text).toMatch(/opensearch_request_duration_seconds_count\{.*operation="search",outcome="refused".*\} 1/);
    expect(text).toContain(`node="127.0.0.1:${proxies[1].port}"`);
  });
});
