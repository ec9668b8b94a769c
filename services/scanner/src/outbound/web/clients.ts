import { Client } from 'undici';
import { type ConnectOptions, openConnection } from './connect.ts';

export interface ClientBounds {
  requestMs: number;
  idleMs: number;
  maxHeaderBytes: number;
}

/** It is longer than any pause between two requests of a visit, so that connections are reused. */
const keepAliveMs = 10_000;

/** The HTTP clients of one visit, one per origin. Each has one connection and sends one request at a time. */
export function createClients(connecting: ConnectOptions, bounds: ClientBounds, abort: AbortSignal) {
  const clients = new Map<string, Client>();
  const make = (url: URL): Client => {
    const client = new Client(url.origin, {
      connect: (_target, callback) => {
        openConnection(connecting, url.hostname, url.protocol, abort).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: bounds.maxHeaderBytes,
      headersTimeout: bounds.requestMs,
      bodyTimeout: bounds.idleMs,
      keepAliveTimeout: keepAliveMs,
    });
    // Without a listener, a connection error after the end of its request would be an uncaught exception.
    client.on('connectionError', () => {});
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
