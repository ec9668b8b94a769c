import type { Fetched } from '../../domain/page.ts';
import type { ScannerMetrics } from '../../metrics.ts';
import { type ClientBounds, createClients } from './clients.ts';
import type { ConnectOptions, Dial } from './connect.ts';
import { failureOf } from './failures.ts';
import type { HostPacer } from './host-pacer.ts';
import { getOnce, type RequestOptions } from './request.ts';
import { createRouter, type RouterOptions } from './route.ts';

/**
 * Sends all HTTP requests of scans.
 *
 * - Only to checked addresses, paced per host, with one user agent.
 * - A visit has its own DNS results and connections until it is closed. Visits share only the pacing of hosts.
 * - Bounds: the limits below, per request.
 */
export interface WebBounds extends ClientBounds {
  connectMs: number;
  /** Time limit of one request, from the first sent byte to the last received byte. */
  requestMs: number;
  /** Longest pause within a response. */
  idleMs: number;
  maxWireBytes: number;
}

export interface FetchOptions extends Pick<RequestOptions, 'accept' | 'maxBytes' | 'wantsBody'> {
  kind: 'page' | 'robots' | 'listing';
  /** Pause that robots.txt requests. The configured pause is the minimum. */
  crawlDelayMs?: number;
}

export interface Visit {
  /** Does not follow redirects. Throws VisitFailure when the site fails, the reason of the abort when aborted. */
  fetch(url: URL, options: FetchOptions): Promise<Fetched>;
  isTestHost(hostname: string): boolean;
  close(): Promise<void>;
}

export interface VisitorOptions extends Omit<RouterOptions, 'onRefused'> {
  dial: Dial;
  pacer: HostPacer;
  bounds: WebBounds;
  hostDelayMs: number;
  userAgent: string;
  metrics: ScannerMetrics;
}

export interface Visitor {
  /** Starts a visit. `abort` ends its requests. */
  begin(abort: AbortSignal): Visit;
}

export function createVisitor(options: VisitorOptions): Visitor {
  return { begin: (abort) => beginVisit(options, abort) };
}

function beginVisit(options: VisitorOptions, abort: AbortSignal): Visit {
  const { bounds, metrics, userAgent } = options;
  const onRefused = (_hostname: string, _address: string, range: string) => metrics.refusedAddresses.inc({ range });
  const connecting: ConnectOptions = {
    route: createRouter({ ...options, onRefused }),
    policy: options.policy,
    dial: options.dial,
    connectTimeoutMs: bounds.connectMs,
    onRefused,
  };
  const clients = createClients(connecting, bounds, abort);

  const timed = async (url: URL, { kind, ...wanted }: FetchOptions): Promise<Fetched> => {
    const end = metrics.fetchDuration.startTimer({ kind });
    const onBytes = (bytes: number) => metrics.receivedBytes.inc({ kind }, bytes);
    try {
      return await getOnce(clients.of(url), url, { ...bounds, ...wanted, userAgent, onBytes }, abort);
    } finally {
      end();
    }
  };

  return {
    isTestHost: (hostname) => options.testHosts.find(hostname) !== undefined,
    close: () => clients.close(),
    async fetch(url, wanted) {
      const delayMs = Math.max(options.hostDelayMs, wanted.crawlDelayMs ?? 0);
      try {
        // A host that may not be reached fails here, before it waits in the queue of the pacer.
        await connecting.route(url.hostname, url.protocol, abort);
        return await options.pacer.run(url.hostname, delayMs, abort, () => timed(url, wanted));
      } catch (error) {
        throw failureOf(error, abort);
      }
    },
  };
}
