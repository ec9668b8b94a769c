import type { Socket } from 'node:net';
import { addressGroup, type ReadClientAddress } from '@shopscope/client-address';

/**
 * Bounds the connections whose latest request was not admitted, per client address and in all: it has no accepted key, or it exceeds
 * the rate of its key, or it is not complete. A connection that is closed for this is the oldest of an address: whoever sends a valid
 * key does so at once, and whoever holds connections open loses them.
 *
 * - More than `maxPerAddress` of one address -> its oldest one closes.
 * - More than `max` in all -> the oldest one of the address with most of them closes. So many connections of one address take
 *   no place from others.
 * - A trusted proxy -> its connections count for the address of the client whose request they carry. Between its connection
 *   and its first request the proxy itself has no bound of its own.
 * - A request is admitted -> the connection does not count until its next request. Otherwise one request with a valid key would
 *   exempt a connection for ever, and requests without a key could keep any number of connections open.
 * - So a key has at most as many connections that do not count as its rate admits requests in the idle time of a connection.
 * - Bound: one entry per counted connection. Without I/O.
 */
export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

export interface ConnectionLimitsOptions {
  max: number;
  maxPerAddress: number;
  readAddress: ReadClientAddress;
  /** Called for each connection that is closed. */
  onClosed(by: 'address' | 'all'): void;
}

interface Counted {
  holder: string;
  isProxied: boolean;
}

/** An address of the documentation range (RFC 5737), which no client has. */
const elsewhere = '192.0.2.0';

export function createConnectionLimits(options: ConnectionLimitsOptions) {
  const { max, maxPerAddress, readAddress, onClosed } = options;
  const counted = new Map<Socket, Counted>();
  /** The latest holder of each connection, also while it does not count. */
  const latest = new WeakMap<Socket, Counted>();
  /** The connections of each holder, the oldest first. */
  const byHolder = new Map<string, Set<Socket>>();
  /** Only of a trusted proxy is the forwarded address used. */
  const isTrustedProxy = (remote: string | undefined) => readAddress(remote, elsewhere) === elsewhere;

  const forget = (socket: Socket) => {
    const entry = counted.get(socket);
    if (!entry) return;
    counted.delete(socket);
    const sockets = byHolder.get(entry.holder);
    sockets?.delete(socket);
    if (sockets?.size === 0) byHolder.delete(entry.holder);
  };
  const count = (socket: Socket, entry: Counted): Set<Socket> => {
    counted.set(socket, entry);
    latest.set(socket, entry);
    const sockets = byHolder.get(entry.holder);
    if (sockets) return sockets.add(socket);
    const first = new Set([socket]);
    byHolder.set(entry.holder, first);
    return first;
  };
  const closeOldest = (sockets: ReadonlySet<Socket>, by: 'address' | 'all') => {
    const [oldest] = sockets;
    if (!oldest) return;
    forget(oldest);
    oldest.destroy();
    onClosed(by);
  };
  const largest = (): ReadonlySet<Socket> => {
    let most: ReadonlySet<Socket> = new Set();
    for (const sockets of byHolder.values()) if (sockets.size > most.size) most = sockets;
    return most;
  };

  return {
    opened(socket: Socket): void {
      const { remoteAddress } = socket;
      const isProxied = isTrustedProxy(remoteAddress);
      const address = addressGroup(readAddress(remoteAddress, undefined) ?? 'unknown');
      const sockets = count(socket, { holder: isProxied ? `proxy ${address}` : address, isProxied });
      socket.once('close', () => forget(socket));
      if (!isProxied && sockets.size > maxPerAddress) closeOldest(sockets, 'address');
      if (counted.size > max) closeOldest(largest(), 'all');
    },
    /** A request has come. `address` is that of its client. */
    carries(socket: Socket, address: () => string): void {
      const before = latest.get(socket);
      // Nothing would remove a closed connection.
      if (!before || socket.destroyed) return;
      const { isProxied } = before;
      const holder = isProxied ? address() : before.holder;
      if (counted.has(socket) && holder === before.holder) return;
      forget(socket);
      const sockets = count(socket, { holder, isProxied });
      if (sockets.size > maxPerAddress) closeOldest(sockets, 'address');
      if (counted.size > max) closeOldest(largest(), 'all');
    },
    accepted: forget,
    /** Connections that count. */
    get size() {
      return counted.size;
    },
  };
}
