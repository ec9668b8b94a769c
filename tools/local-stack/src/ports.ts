import { createServer } from 'node:net';
import { LocalStackError } from './error.ts';

/** True when nothing listens on the loopback port. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A loopback port that was free at the time of the call. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** Throws for a busy port. The message names its purpose and the variable that changes it. */
export async function requireFreePort(port: number, what: string, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new LocalStackError(`Port ${port} for ${what} is in use; stop what listens there, or set ${variable}.`);
}
