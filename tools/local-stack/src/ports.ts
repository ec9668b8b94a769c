import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { LocalStackError } from './error.ts';

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
const maxAttempts = 100;
/** Longer than a server takes from the choice of its port until it listens. */
const reservationMs = 120_000;

/** A loopback port that is free. For two minutes no other call of this function returns it, in any process of the machine. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const port = candidates.from + Math.floor(Math.random() * candidates.count);
    if ((await isPortFree(port)) && (await reserve(port))) return port;
  }
  throw new LocalStackError(`No free port was found from ${candidates.from} on.`);
}

/**
 * False when a process has reserved the port. The reservation is the UDP port of the same number: no server here uses UDP,
 * and the kernel ends the reservation together with the process.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      setTimeout(() => socket.close(), reservationMs).unref();
      resolve(true);
    });
  });
}

/** Throws for a busy port. The message names its purpose and the variable that changes it. */
export async function requireFreePort(port: number, what: string, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new LocalStackError(`Port ${port} for ${what} is in use; stop what listens there, or set ${variable}.`);
}
