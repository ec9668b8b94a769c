import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { silentTelemetry } from '@shopscope/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectOpenSearch, fromOpenSearch, type OpenSearch } from './index.ts';

/** A real server ends in the middle of a response only by chance, so this one does it. */
describe('broken response of OpenSearch', () => {
  let server: Server;
  let openSearch: OpenSearch;
  let requests: number;

  async function start(requestTimeoutMs: number, breakOff: (socket: Socket) => void) {
    requests = 0;
    server = createServer((request, response) => {
      if (request.method === 'HEAD') return response.end();
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"half": ', () => breakOff(response.socket as Socket));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    openSearch = connectOpenSearch({
      nodes: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      indexPrefix: '',
      requestTimeoutMs,
      ...silentTelemetry(),
    });
  }
  const search = () =>
    openSearch.client.search().catch((error: unknown) => {
      throw fromOpenSearch(error);
    });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await openSearch.close();
  });

  it('a response of OpenSearch that stops in its body is unavailable after the time limit, and is requested at most three times', {
    tags: ['wall-clock'],
  }, async () => {
    await start(300, () => {});
    await expect(search()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(requests).toBeLessThanOrEqual(3);
  });

  it('a response of OpenSearch that is reset in its body is unavailable, and prints nothing to standard output', async () => {
    const print = vi.spyOn(console, 'log').mockReturnValue();
    await start(60_000, (socket) => socket.resetAndDestroy());
    await expect(search()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });
});
