import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface TestProxy extends AsyncDisposable {
  url: string;
  /** The requests to the proxy: `CONNECT name:port`, or the method and the absolute address. */
  asked: string[];
}

/**
 * A proxy like those of companies. It resolves every name to `target`, so every request that arrives there came through
 * the proxy.
 */
export async function startProxy(target: { port: number }): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url}`);
    const { pathname, search } = new URL(url);
    const path = pathname + search;
    const forwarded = sendRequest({ host: '127.0.0.1', port: target.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  });
  server.on('connect', ({ url }, client: Socket) => {
    asked.push(`CONNECT ${url}`);
    const upstream = connect(target.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
