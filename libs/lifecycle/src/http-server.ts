import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Resolves to the port. */
export function listen(server: Server, config: { HOST: string; HTTP_PORT: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.HTTP_PORT, config.HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

const inFlightMs = 11_000;

/** Closes idle connections at once. Closes the others when their request has ended or after `inFlightMs`. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), inFlightMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
