import { connect as netConnect, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { type AddressPolicy, bareAddress, isAddressLiteral, normalizeAddress } from './address-policy.ts';
import { OutboundError, type OutboundErrorCode } from './errors.ts';
import { failureOf } from './failures.ts';
import type { Router, Target } from './route.ts';

/** Opens a TCP connection to an IP address. Host names are not accepted, because they would be resolved again. */
export type Dial = (address: string, port: number, abort: AbortSignal) => Promise<Socket>;

export const dialTcp: Dial = (address, port, abort) => {
  const socket = netConnect({ host: address, port, noDelay: true });
  return opened(socket, 'connect', abort);
};

/** The failures of one address after which the next address is dialled. */
const goesOn: ReadonlySet<OutboundErrorCode> = new Set(['connection_refused', 'egress_broken']);

export interface ConnectOptions {
  route: Router;
  policy: AddressPolicy;
  dial: Dial;
  /** See {@link createTlsContext}. */
  tlsContext: SecureContext;
  /** Called with each verified TLS connection, before a request is sent. */
  onSecure(hostname: string, socket: TLSSocket): void;
  onRefused(hostname: string, address: string, range: string): void;
}

/**
 * Returns the settings of TLS connections. One context serves all connections of a process, because creating it takes a tenth of the time
 * of a connection. `ca`: the certificate authorities (PEM) that replace those of Node.js.
 */
export const createTlsContext = (ca?: string): SecureContext => createSecureContext({ minVersion: 'TLSv1.2', ca });

/**
 * Opens a connection and returns it with its address.
 *
 * - Only checked addresses of the route are dialled.
 * - The peer address of the open socket is checked, too, before the first byte is sent.
 * - TLS has at least version 1.2 and verifies the requested host name.
 * - A connection is refused, or there is no route to the address -> the next address of the route is dialled. The failure of an address
 *   that answered has priority over a missing route to another one.
 */
export async function openConnection(
  options: ConnectOptions,
  target: Target,
  abort: AbortSignal,
): Promise<{ socket: Socket; address: string }> {
  const { hostname, protocol } = target;
  const route = await options.route(target, abort).catch((error) => {
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
        throw new OutboundError(
          'blocked_address',
          `the connection to ${address} has another peer address (${refusal})`,
        );
      }
      if (protocol !== 'https:') return { socket, address };
      const secure = await startTls(
        socket,
        { hostname, isTestHost: route.isTestHost, secureContext: options.tlsContext },
        abort,
      );
      options.onSecure(hostname, secure);
      return { socket: secure, address };
    } catch (error) {
      const next = failureOf(error, abort);
      if (failure === undefined || isUndecided(failure) || !isUndecided(next)) failure = next;
      if (abort.aborted || (next instanceof OutboundError && !goesOn.has(next.code))) break;
    }
  }
  throw failure ?? new OutboundError('dns_failure', `${hostname} has no address`);
}

const isUndecided = (error: unknown): boolean => error instanceof OutboundError && error.isUndecided;

function peerRefusal(policy: AddressPolicy, socket: Socket, dialled: string, isTestHost: boolean): string | undefined {
  const peer = socket.remoteAddress;
  if (!peer || normalizeAddress(peer) !== normalizeAddress(dialled)) return 'another address';
  return isTestHost ? undefined : policy.refusalOf(peer);
}

interface TlsOptions {
  hostname: string;
  isTestHost: boolean;
  secureContext: SecureContext;
}

async function startTls(
  socket: Socket,
  { hostname, isTestHost, secureContext }: TlsOptions,
  abort: AbortSignal,
): Promise<TLSSocket> {
  const secure = tlsConnect({
    socket,
    // The certificate of an address is verified, too, but RFC 6066 does not allow an address as the server name.
    host: bareAddress(hostname),
    servername: isAddressLiteral(hostname) ? '' : hostname,
    ALPNProtocols: ['http/1.1'],
    secureContext,
    // Test hosts have self-signed certificates.
    rejectUnauthorized: !isTestHost,
  });
  try {
    return await opened(secure, 'secureConnect', abort);
  } catch (error) {
    if (abort.aborted) throw error;
    throw new OutboundError('tls_failure', `no secure connection to ${hostname}`, { cause: error });
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
