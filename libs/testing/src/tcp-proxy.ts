import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Forwards connections between a client and a server, so that a test can disturb them.
 * - `freeze` -> connections stay open and no bytes pass, not even an end. New connections are accepted and frozen, too.
 * - `cut` -> every open connection ends. New connections pass.
 * - `refuse` -> every open connection ends and the port is closed, as when the server's process has ended.
 * - The client or the server ends or resets its connection -> the connection to the other side ends as well.
 */
export interface TcpProxy {
  readonly port: number;
  /** The number of connections that were accepted so far. */
  readonly connections: number;
  freeze(): void;
  /** Ends `freeze`. The bytes that were held back pass in order. */
  thaw(): void;
  cut(): void;
  refuse(): Promise<void>;
  /** Ends `refuse`: the proxy listens again on the same port. */
  accept(): Promise<void>;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

export interface TcpTarget {
  hostname: string;
  port: number | string;
}

/** Listens on 127.0.0.1, on a free port unless `port` is given. A URL can be the target. */
export async function startTcpProxy(target: TcpTarget, options: { port?: number } = {}): Promise<TcpProxy> {
  const links = new Set<Link>();
  let frozen = false;
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const link = linkOf(client, connect(Number(target.port), target.hostname), () => links.delete(link));
    links.add(link);
    if (frozen) link.freeze();
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const cut = () => {
    for (const link of links) link.destroy();
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;

  return {
    port,
    get connections() {
      return connections;
    },
    freeze() {
      frozen = true;
      for (const link of links) link.freeze();
    },
    thaw() {
      frozen = false;
      for (const link of links) link.thaw();
    },
    cut,
    refuse: close,
    accept: () => listen(port),
    close,
  };
}

/** One client's connection, and its connection to the server. */
interface Link {
  freeze(): void;
  thaw(): void;
  destroy(): void;
}

function linkOf(client: Socket, server: Socket, onEnd: () => void): Link {
  const directions = [forward(client, server), forward(server, client)];
  let open = 2;
  for (const socket of [client, server]) {
    socket.on('close', () => {
      open -= 1;
      if (open === 0) onEnd();
    });
  }
  return {
    freeze() {
      for (const direction of directions) direction.freeze();
    },
    thaw() {
      for (const direction of directions) direction.thaw();
    },
    destroy() {
      client.destroy();
      server.destroy();
    },
  };
}

/** Does not use `pipe`, which resumes its source when the destination drains: a frozen link would pass bytes again. */
function forward(from: Socket, to: Socket) {
  let frozen = false;
  let full = false;
  let ended = false;
  const apply = () => {
    if (frozen || full) from.pause();
    else from.resume();
    // Bytes that were written before the end still reach the other side.
    if (ended && !frozen) to.destroySoon();
  };
  from.on('data', (chunk) => {
    full = !to.write(chunk);
    apply();
  });
  to.on('drain', () => {
    full = false;
    apply();
  });
  // A `close` event follows.
  from.on('error', () => {});
  from.on('close', () => {
    ended = true;
    apply();
  });
  return {
    freeze() {
      frozen = true;
      apply();
    },
    thaw() {
      frozen = false;
      apply();
    },
  };
}
