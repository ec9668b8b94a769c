import { connect as netConnect, type Socket } from 'node:net';
import { type PeerCertificate, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { type AddressPolicy, normalizeAddress } from '../../domain/address-policy.ts';
import { type FailureReason, isUndecided, VisitFailure } from '../../domain/reasons.ts';
import { failureOf } from './failures.ts';
import type { Router } from './route.ts';

/** Opens a TCP connection to an IP address. Host names are not accepted, because they would be resolved again. */
export type Dial = (address: string, port: number, abort: AbortSignal) => Promise<Socket>;

export const dialTcp: Dial = (address, port, abort) => {
  const socket = netConnect({ host: address, port, noDelay: true });
  return opened(socket, 'connect', abort);
};

/** The failures of one address after which the next address is dialled. */
const goesOn: ReadonlySet<FailureReason> = new Set(['connection_refused', 'egress_broken']);

export interface ConnectOptions {
  route: Router;
  policy: AddressPolicy;
  dial: Dial;
  connectTimeoutMs: number;
  /** Called with the certificate of each verified TLS connection, before a request is sent. */
  onSecure(hostname: string, certificate: PeerCertificate): void;
  onRefused(hostname: string, address: string, range: string): void;
}

/**
 * Opens the connection of a request.
 *
 * - Only checked addresses of the route are dialled.
 * - The peer address of the open socket is checked, too, before the first byte is sent.
 * - TLS verifies the requested host name.
 * - A connection is refused, or there is no route to the address -> the next address of the route is dialled. The failure of an address
 *   that answered has priority over a missing route to another one.
 */
export async function openConnection(
  options: ConnectOptions,
  hostname: string,
  protocol: string,
  visitAbort: AbortSignal,
): Promise<Socket> {
  const abort = AbortSignal.any([visitAbort, AbortSignal.timeout(options.connectTimeoutMs)]);
  const route = await options.route(hostname, protocol, abort).catch((error) => {
    throw failureOf(error, abort);
  });
  let failure: unknown;
  for (const address of route.addresses) {
    try {
      const socket = await options.dial(address, route.port, abort);
      const refusal = peerRefusal(options.policy, socket, address, route.isTestHost);
      if (refusal) {
        socket.destroy();
        options.onRefused(hostname, String(socket.remoteAddress), refusal);
        throw new VisitFailure('blocked_address', `the connection to ${address} has another peer address (${refusal})`);
      }
      if (protocol !== 'https:') return socket;
      const secure = await startTls(socket, hostname, route.isTestHost, abort);
      options.onSecure(hostname, secure.getPeerCertificate());
      return secure;
    } catch (error) {
      const next = failureOf(error, abort);
      if (failure === undefined || isUndecided(failure) || !isUndecided(next)) failure = next;
      if (abort.aborted || (next instanceof VisitFailure && !goesOn.has(next.reason))) break;
    }
  }
  throw failure ?? new VisitFailure('dns_failure', `${hostname} has no address`);
}

function peerRefusal(policy: AddressPolicy, socket: Socket, dialled: string, isTestHost: boolean): string | undefined {
  const peer = socket.remoteAddress;
  if (!peer || normalizeAddress(peer) !== normalizeAddress(dialled)) return 'another address';
  return isTestHost ? undefined : policy.refusalOf(peer);
}

async function startTls(socket: Socket, hostname: string, isTestHost: boolean, abort: AbortSignal): Promise<TLSSocket> {
  const secure = tlsConnect({
    socket,
    servername: hostname,
    ALPNProtocols: ['http/1.1'],
    // Test hosts have self-signed certificates.
    rejectUnauthorized: !isTestHost,
  });
  try {
    return await opened(secure, 'secureConnect', abort);
  } catch (error) {
    if (abort.aborted) throw error;
    throw new VisitFailure('tls_failure', `no secure connection to ${hostname}`, { cause: error });
  }
}

/** Resolves on `event`. An error, an early end or an abort destroys the socket and rejects. */
function opened<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', abort: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(abort.reason);
    const onClose = () =>
      fail(Object.assign(new Error('the connection closed before it was open'), { code: 'ECONNRESET' }));
    socket.once('error', fail);
    socket.once('close', onClose);
    if (abort.aborted) return onAbort();
    abort.addEventListener('abort', onAbort, { once: true });
    socket.once(event, () => {
      abort.removeEventListener('abort', onAbort);
      socket.off('error', fail);
      socket.off('close', onClose);
      resolve(socket);
    });
  });
}
