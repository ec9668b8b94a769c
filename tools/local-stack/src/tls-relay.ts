import { connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';

/** Terminates TLS in front of a local server that was built without TLS. */
export function tlsRelay(options: { port: number; targetPort: number; cert: string; key: string }) {
  const { port, targetPort, cert, key } = options;
  const open = new Set<TLSSocket>();
  const server = createServer({ cert, key }, (near) => {
    open.add(near);
    const far = connect(targetPort, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => {
      open.delete(near);
      far.destroy();
    });
    far.on('close', () => near.destroy());
  });
  return {
    start: () =>
      new Promise<void>((resolve, reject) => {
        if (server.listening) return resolve();
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
