import { type ConnectOptions, createClient, openConnection } from '@shopscope/outbound-http';
import type { Client } from 'undici';

export interface ClientBounds {
  connectMs: number;
  requestMs: number;
  idleMs: number;
  maxHeaderBytes: number;
}

/** The HTTP clients of one visit, one per origin. */
export function createClients(connecting: ConnectOptions, bounds: ClientBounds, abort: AbortSignal) {
  const clients = new Map<string, Client>();
  const make = (url: URL): Client => {
    const client = createClient(url.origin, {
      connect: async () => {
        const limit = AbortSignal.any([abort, AbortSignal.timeout(bounds.connectMs)]);
        const { socket } = await openConnection(connecting, url, limit);
        return socket;
      },
      maxHeaderBytes: bounds.maxHeaderBytes,
      headersTimeoutMs: bounds.requestMs,
      bodyTimeoutMs: bounds.idleMs,
    });
    clients.set(url.origin, client);
    return client;
  };
  return {
    of: (url: URL): Client => clients.get(url.origin) ?? make(url),
    /** Closes every connection. Never rejects. */
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map((client) => client.destroy().catch(() => {})));
    },
  };
}
