import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands between a client and a server, so that a test can disturb their connections.
 * - `freeze` -> connections stay open and nothing passes, not even an end; new connections are accepted and frozen too.
 * - `cut` -> every open connection ends; new ones pass.
 * - `refuse` -> every open connection ends and the port is closed, as when the server's process has ended.
 * - The client or the server ends or resets its connection -> the other side's connection ends as well.
 */
export interface TcpProxy {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: number;
  freeze(): void;
  /** Ends `freeze`: what was held back passes in order. */
  thaw(): void;
  cut(): void;
  refuse(): Promise<void>;
  /** Ends `refuse`: listens again on the same port. */
  accept(): Promise<void>;
  /** Ends every connection and gives the port back. */
  close(): Promise<void>;
}

export interface TcpTarget {
  hostname: string;
  port: number | string;
}

/** Listens on 127.0.0.1, on a free port unless `port` names one. A URL is a target. */
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

/** One client's connection together with the connection to the server. */
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

/** Not `pipe`: it resumes its source when the destination drains, and a frozen link would pass bytes again. */
function forward(from: Socket, to: Socket) {
  let frozen = false;
  let full = false;
  let ended = false;
  const apply = () => {
    if (frozen || full) from.pause();
    else from.resume();
    // What was written before the end still reaches the other side.
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
  // `close` follows.
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
