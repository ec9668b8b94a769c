import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a server that accepts every message. It answers none that is sent to `hangingUrl`. */
export async function startReceiver() {
  let onMessage: (body: string) => void = () => {};
  let hanging = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url === '/hangs') {
      hanging += 1;
      return;
    }
    onMessage(body);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${base}/accepts`,
    hangingUrl: `${base}/hangs`,
    /** The number of messages that were sent to `hangingUrl`. */
    hanging: () => hanging,
    /** Each message to `url` is passed to this function from now on. */
    listen(listener: (body: string) => void): void {
      onMessage = listener;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
