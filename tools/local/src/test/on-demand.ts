import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OnDemandServer {
  /** A GET starts the server, or waits for its start, and is answered with the address of the server. */
  url: string;
  /** Stops the server if it has been started. */
  stop(): Promise<void>;
}

/**
 * Starts a server when the first worker of a test run asks for it, so that it costs nothing in a run without such tests. The start fails ->
 * every request is answered with its message.
 */
export async function startOnDemand(
  start: (abort: AbortSignal) => Promise<{ url: string; stop(): Promise<void> }>,
): Promise<OnDemandServer> {
  const stopping = new AbortController();
  let started: ReturnType<typeof start> | undefined;
  const http = createServer((_, response) => {
    started ??= start(stopping.signal);
    started.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(503).end(error.message),
    );
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      http.close();
      http.closeAllConnections();
      stopping.abort(new Error('the run has ended'));
      const server = await started?.catch(() => undefined);
      await server?.stop();
    },
  };
}
