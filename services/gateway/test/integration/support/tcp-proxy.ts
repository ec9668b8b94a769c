import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can freeze (nothing passes, connections stay) and cut (connections end, none is taken). */
export async function startTcpProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let frozen = false;
  let cut = false;
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (data) => {
      if (!frozen) to.write(data);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  };
  const server = createServer((incoming) => {
    if (cut) return incoming.destroy();
    const outgoing = connect(target.port, target.host);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    forward(incoming, outgoing);
    forward(outgoing, incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true;
    },
    cut() {
      cut = true;
      end();
    },
    /** What was swallowed meanwhile is lost, so connections begin anew. */
    mend() {
      frozen = false;
      cut = false;
      end();
    },
    stop() {
      server.close();
      end();
    },
  };
}
