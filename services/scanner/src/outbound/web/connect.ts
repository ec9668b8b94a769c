import { connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { type AddressPolicy, normalizeAddress } from '../../domain/address-policy.ts';
import { VisitFailure } from '../../domain/reasons.ts';
import { failureOf } from './failures.ts';
import type { Router } from './route.ts';

/** Opens a TCP connection to an address (never a name). */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Socket>;

export const dialTcp: Dial = (address, port, signal) => {
  const socket = netConnect({ host: address, port, noDelay: true });
  return settled(socket, 'connect', signal);
};

export interface ConnectOptions {
  route: Router;
  policy: AddressPolicy;
  dial: Dial;
  connectTimeoutMs: number;
  onRefused(hostname: string, address: string, range: string): void;
}

/**
 * Opens the connection that a request will use: to a checked address of the route, and not a byte before the socket's
 * own view of its peer has been checked as well. TLS starts after that, for the name that was asked for.
 */
export async function openConnection(
  options: ConnectOptions,
  hostname: string,
  protocol: string,
  visitSignal: AbortSignal,
): Promise<Socket> {
  const signal = AbortSignal.any([visitSignal, AbortSignal.timeout(options.connectTimeoutMs)]);
  const route = await options.route(hostname, protocol, signal).catch((error) => {
    throw failureOf(error, signal);
  });
  let failure: unknown;
  for (const address of route.addresses) {
    try {
      const socket = await options.dial(address, route.port, signal);
      const refusal = peerRefusal(options.policy, socket, address, route.mapped);
      if (refusal) {
        socket.destroy();
        options.onRefused(hostname, String(socket.remoteAddress), refusal);
        throw new VisitFailure('blocked_address', `the connection to ${address} ended elsewhere (${refusal})`);
      }
      if (protocol !== 'https:') return socket;
      return await secured(socket, hostname, route.mapped, signal);
    } catch (error) {
      failure = failureOf(error, signal);
      if (signal.aborted || (failure instanceof VisitFailure && failure.reason !== 'connection_refused')) break;
    }
  }
  throw failure ?? new VisitFailure('dns_failure', `${hostname} has no address`);
}

function peerRefusal(policy: AddressPolicy, socket: Socket, dialled: string, mapped: boolean): string | undefined {
  const peer = socket.remoteAddress;
  if (!peer || normalizeAddress(peer) !== normalizeAddress(dialled)) return 'another address';
  return mapped ? undefined : policy.refusalOf(peer);
}

async function secured(socket: Socket, hostname: string, mapped: boolean, signal: AbortSignal): Promise<Socket> {
  const secure = tlsConnect({
    socket,
    servername: hostname,
    ALPNProtocols: ['http/1.1'],
    // Test hosts are reached on loopback with certificates of their own making.
    rejectUnauthorized: !mapped,
  });
  try {
    return await settled(secure, 'secureConnect', signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new VisitFailure('tls_failure', `no secure connection to ${hostname}`, { cause: error });
  }
}

/** Resolves on `event`; on an error, an early end or an abort the socket is destroyed and the promise rejects. */
function settled<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const onClose = () => fail(Object.assign(new Error('closed before it was open'), { code: 'ECONNRESET' }));
    socket.once('error', fail);
    socket.once('close', onClose);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once(event, () => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', fail);
      socket.off('close', onClose);
      resolve(socket);
    });
  });
}
