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

/**
 * Below the ephemeral ports of Linux and macOS, so that no outgoing connection takes the port before its server does.
 * Above the ports that tests, checks and benches choose as a base: a whole system needs its range for itself.
 */
const candidates = { from: 29_400, count: 3_300 };
const attemptsMax = 100;

/** A loopback port that was free at the time of the call. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = candidates.from + Math.floor(Math.random() * candidates.count);
    if (await isPortFree(port)) return port;
  }
  throw new LocalStackError(`No free port was found from ${candidates.from} on.`);
}

/** Throws for a busy port. The message names its purpose and the variable that changes it. */
export async function requireFreePort(port: number, what: string, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new LocalStackError(`Port ${port} for ${what} is in use; stop what listens there, or set ${variable}.`);
}
