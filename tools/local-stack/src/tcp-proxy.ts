import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A TCP relay in front of a server. A test can freeze it (connections stay open without data) or close it. */
export interface TcpProxy {
  port: number;
  /** Number of accepted connections. */
  readonly connections: number;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function proxyTo(target: URL, port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = dial(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (frozen) near.pause();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
