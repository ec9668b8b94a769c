import type { Client } from 'undici';

/** A client with its one connection. */
export interface Connection {
  client: Client;
  /** The origin, and the address and port of the peer. Undefined before the connection is open. */
  peer: string | undefined;
  isClosed: boolean;
}

/**
 * The idle connections of a sender.
 *
 * - A connection serves another request only if its peer is one that was checked for that request.
 * - A connection is closed, by the server or because it was idle for too long -> it leaves this list.
 * - Bounds: at most `maxIdle` connections. One more closes the one that is idle for the longest time.
 */
export function createIdleConnections(maxIdle: number) {
  const idle = new Set<Connection>();
  return {
    /** Removes and returns a connection to one of these peers, the last used one first. */
    take(peers: readonly string[]): Connection | undefined {
      const found = [...idle].findLast(({ peer }) => peer !== undefined && peers.includes(peer));
      if (found) idle.delete(found);
      return found;
    },
    put(connection: Connection): void {
      if (connection.isClosed) return;
      idle.add(connection);
      if (idle.size <= maxIdle) return;
      const [oldest = connection] = idle;
      idle.delete(oldest);
      void oldest.client.destroy();
    },
    /** Call it when the connection is closed. */
    remove(connection: Connection): void {
      connection.isClosed = true;
      idle.delete(connection);
    },
    async close(): Promise<void> {
      await Promise.all([...idle].map(({ client }) => client.destroy()));
    },
  };
}

export type IdleConnections = ReturnType<typeof createIdleConnections>;
