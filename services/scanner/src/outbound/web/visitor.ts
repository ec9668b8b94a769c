import type { Clock } from '@shopscope/clock';
import type { Certificate } from '@shopscope/fingerprint';
import {
  type ConnectOptions,
  createRouter,
  type Dial,
  nameRefusalOf,
  type RouterOptions,
} from '@shopscope/outbound-http';
import { certificateOf } from '../../domain/certificate.ts';
import type { Fetched } from '../../domain/page.ts';
import { visitFailureOf } from '../../domain/reasons.ts';
import type { ScannerMetrics } from '../../metrics.ts';
import { type ClientBounds, createClients } from './clients.ts';
import { createCookieJar } from './cookies.ts';
import { failureOfVisit } from './failures.ts';
import type { HostPacer, Queued } from './host-pacer.ts';
import type { RecordResolver, RecordType } from './records.ts';
import { getOnce, type RequestOptions } from './request.ts';

/**
 * Sends all HTTP requests and DNS queries of scans.
 *
 * - Requests go only to checked addresses, after their admission, paced per host, with one user agent.
 * - A visit has its own DNS results, connections and cookies until it is closed. Visits share only the pacing of hosts.
 * - Bounds: the limits below, per request and per query.
 */
export interface WebBounds extends ClientBounds {
  /** The time limit from the first byte sent to the last byte received. */
  requestMs: number;
  /** The maximum pause within a response. */
  idleMs: number;
  maxWireBytes: number;
  /** The time limit of one DNS query, including its second attempt. */
  dnsMs: number;
}

export interface FetchOptions extends Pick<RequestOptions, 'accept' | 'maxBytes' | 'wantsBody'> {
  kind: 'page' | 'robots' | 'listing' | 'further_page';
  /** The pause that robots.txt asks for. The configured pause is the minimum. */
  crawlDelayMs?: number;
}

export interface Visit {
  /**
   * Sends a request and does not follow redirects. Throws VisitFailure if the site fails, the reason of the abort if aborted, and the error
   * of the admission if the request is not admitted.
   */
  fetch(url: URL, options: FetchOptions): Promise<Fetched>;
  /** Returns the records of a name, or [] if there is none. Throws if the name is not public or the name servers fail. */
  query(name: string, type: RecordType): Promise<string[]>;
  /** Returns the certificate of the connection to a host of this visit. Undefined without TLS. */
  certificateOf(hostname: string): Certificate | undefined;
  /** Returns the cookies that a request would send now. */
  cookiesFor(url: URL): string;
  isTestHost(hostname: string): boolean;
  close(): Promise<void>;
}

export interface VisitorOptions extends Pick<RouterOptions, 'policy' | 'resolver' | 'testHosts'> {
  dial: Dial;
  tlsContext: ConnectOptions['tlsContext'];
  records: RecordResolver;
  pacer: HostPacer;
  bounds: WebBounds;
  hostDelayMs: number;
  userAgent: string;
  clock: Pick<Clock, 'now'>;
  metrics: ScannerMetrics;
}

export interface VisitGate {
  /**
   * Resolves when a request to the host, which has these addresses, may be sent. Rejects if this scanner no longer holds the lease, or if
   * the request must not be sent.
   */
  admit(host: string, addresses: readonly string[]): Promise<void>;
  /** Runs the wait for requests of other visits to the same host. */
  queued: Queued;
}

export interface Visitor {
  /** Starts a visit. `abort` ends its requests. */
  begin(abort: AbortSignal, gate: VisitGate): Visit;
}

export function createVisitor(options: VisitorOptions): Visitor {
  return { begin: (abort, gate) => beginVisit(options, abort, gate) };
}

function beginVisit(options: VisitorOptions, abort: AbortSignal, gate: VisitGate): Visit {
  const { bounds, metrics, userAgent } = options;
  const onRefused = (_hostname: string, _address: string, range: string) => metrics.refusedAddresses.inc({ range });
  const certificates = new Map<string, Certificate>();
  const connecting: ConnectOptions = {
    route: createRouter({ ...options, literals: 'refused', onRefused }),
    policy: options.policy,
    dial: options.dial,
    tlsContext: options.tlsContext,
    onSecure: (hostname, socket) => certificates.set(hostname, certificateOf(socket.getPeerCertificate())),
    onRefused,
  };
  const clients = createClients(connecting, bounds, abort);
  const cookies = createCookieJar(() => options.clock.now());

  const timed = async (url: URL, { kind, ...wanted }: FetchOptions): Promise<Fetched> => {
    const end = metrics.fetchDuration.startTimer({ kind });
    const onBytes = (bytes: number) => metrics.receivedBytes.inc({ kind }, bytes);
    try {
      const sent = { userAgent, cookies: cookies.headerFor(url) };
      const fetched = await getOnce(clients.of(url), url, { ...bounds, ...wanted, ...sent, onBytes }, abort);
      cookies.keep(url, fetched.setCookies);
      return fetched;
    } finally {
      end();
    }
  };

  return {
    certificateOf: (hostname) => certificates.get(hostname),
    async query(name, type) {
      const refusal = nameRefusalOf(name);
      if (refusal) throw visitFailureOf(refusal);
      const limit = AbortSignal.timeout(bounds.dnsMs);
      try {
        const found = await options.records.query(name, type, AbortSignal.any([abort, limit]));
        metrics.dnsQueries.inc({ type, result: found.length > 0 ? 'answered' : 'empty' });
        return found;
      } catch (error) {
        const isTimeout = limit.aborted || (error as { code?: unknown }).code === 'ETIMEOUT';
        metrics.dnsQueries.inc({ type, result: isTimeout ? 'timeout' : 'failed' });
        throw error;
      }
    },
    cookiesFor: (url) => cookies.headerFor(url),
    isTestHost: (hostname) => options.testHosts.find(hostname) !== undefined,
    close: () => clients.close(),
    async fetch(url, wanted) {
      const delayMs = Math.max(options.hostDelayMs, wanted.crawlDelayMs ?? 0);
      try {
        // A host that must not be reached fails here, before its admission is requested.
        const { addresses } = await connecting.route(url, abort);
        const send = async () => {
          // The admission follows the pause, so that the request is sent at its slot.
          await gate.admit(url.hostname, addresses);
          return timed(url, wanted);
        };
        return await options.pacer.run(url.hostname, delayMs, abort, send, gate.queued);
      } catch (error) {
        throw failureOfVisit(error, abort);
      }
    },
  };
}
