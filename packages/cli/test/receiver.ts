import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * A receiver of webhooks. The path is its answer: /500 is that status, /cut closes the connection, /hang never answers, /drip never ends
 * its body, /large sends more than anybody reads. Every other path answers 204.
 */
export async function startReceiver(received: Received[], onRequest = (_: Received): void => undefined) {
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const each = { method, url, headers, body: Buffer.concat(await request.toArray()) };
    received.push(each);
    onRequest(each);
    if (url === '/hang') return;
    if (url === '/cut') return response.destroy();
    if (url === '/drip') return response.writeHead(200).write('.');
    if (url === '/large') return response.writeHead(200).write('.'.repeat(1_000_000));
    const status = Number(url.slice(1)) || 204;
    // Whoever follows it asks this receiver a second time.
    response.writeHead(status, status === 301 ? { location: '/redirected' } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
