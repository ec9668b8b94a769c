import type { Socket } from 'node:net';
import { addressGroup, type ReadClientAddress } from '@shopscope/client-address';

/**
 * Bounds the connections whose latest request was not admitted, per client address and in total. A request is not admitted if it has no
 * accepted key, exceeds the rate of its key, or is not complete. A full limit closes the oldest connection of an address, because a caller with a
 * valid key sends a request without a pause, and only a connection without an admitted request becomes old.
 *
 * - An address has more than `maxPerAddress` -> its oldest connection is closed.
 * - All addresses together have more than `max` -> the oldest connection of the address with most of them is closed. Many connections
 *   of one address therefore take no place from others.
 * - A trusted proxy -> its connection counts for the address of the client whose request it carries. From its opening to its first
 *   request, only `max` bounds the connection.
 * - A request is admitted -> the connection does not count until its next request. Otherwise one request with a valid key would
 *   exempt a connection forever, and requests without a key could keep any number of connections open.
 * - A key therefore has at most as many uncounted connections as its rate admits requests within the idle time of a connection.
 * - Bound: one entry per counted connection. There is no I/O.
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
  /** The latest holder of each connection, even while the connection does not count. */
  const latest = new WeakMap<Socket, Counted>();
  /** The connections of each holder, the oldest first. */
  const byHolder = new Map<string, Set<Socket>>();
  /** Whether the address is a trusted proxy. The forwarded address is used only then. */
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
    /** Call it when a request arrives. `address` returns the address of its client. */
    carries(socket: Socket, address: () => string): void {
      const before = latest.get(socket);
      // A closed connection is not counted, because nothing would remove it.
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
    /** The number of counted connections. */
    get size() {
      return counted.size;
    },
  };
}
