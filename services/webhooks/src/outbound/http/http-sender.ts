import type { Clock } from '@shopscope/clock';
import {
  createAddressPolicy,
  createNameResolver,
  createSender,
  createTlsContext,
  dialTcp,
  loopbackHosts,
  noTestHosts,
  type Sender,
} from '@shopscope/outbound-http';

export interface HttpSenderOptions {
  clock: Pick<Clock, 'after'>;
  /** Networks that are refused beside those that are not public. */
  deniedCidrs: readonly string[];
  /** Whether this machine is reached, also without TLS. For development and tests. */
  allowsLoopback: boolean;
  /** Called with each host that resolves to a refused address. */
  onRefused(hostname: string): void;
}

const bounds = { maxHeaderBytes: 16 * 1024, maxResponseBytes: 64 * 1024, maxIdleConnections: 500 };
/** A query has two attempts of this length. */
const resolveMs = 2_000;

/** Creates the sender of messages: public addresses, TLS from 1.2 on, at most 64 KB of a response, no redirect. */
export const createHttpSender = ({ deniedCidrs, allowsLoopback, onRefused, ...options }: HttpSenderOptions): Sender =>
  createSender({
    ...options,
    ...bounds,
    policy: createAddressPolicy(deniedCidrs),
    resolver: createNameResolver({ timeoutMs: resolveMs }),
    testHosts: allowsLoopback ? loopbackHosts : noTestHosts,
    dial: dialTcp,
    tlsContext: createTlsContext(),
    onRefused: (hostname) => onRefused(hostname),
  });
