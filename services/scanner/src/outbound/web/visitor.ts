import type { Fetched } from '../../domain/page.ts';
import type { ScannerMetrics } from '../../metrics.ts';
import { type ClientBounds, createClients } from './clients.ts';
import type { ConnectOptions, Dial } from './connect.ts';
import { failureOf } from './failures.ts';
import type { HostPacer } from './host-pacer.ts';
import { getOnce, type RequestOptions } from './request.ts';
import { createRouter, type RouterOptions } from './route.ts';

/**
 * The outside web, as one scan sees it. Every request goes through here: paced per host, to checked addresses only,
 * within bounds of time, bytes and headers, under one name. A visit keeps its resolved names and its connections until
 * it is closed; nothing is shared between visits but the pacing of hosts.
 */
export interface WebBounds extends ClientBounds {
  connectMs: number;
  /** One request, from the first byte out to the last byte in, however slowly it drips. */
  requestMs: number;
  /** The longest silence within an answer. */
  idleMs: number;
  maxWireBytes: number;
}

export interface FetchOptions extends Pick<RequestOptions, 'accept' | 'maxBytes' | 'wantsBody'> {
  kind: 'page' | 'robots' | 'listing';
  /** Pause that the host asks for; the scanner's own least pause is kept in any case. */
  crawlDelayMs?: number;
}

export interface Visit {
  /** Redirects are not followed. Throws VisitFailure for what the web does, the signal's reason when it was aborted. */
  fetch(url: URL, options: FetchOptions): Promise<Fetched>;
  isMapped(hostname: string): boolean;
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
  /** A visit that ends when `signal` does. */
  begin(signal: AbortSignal): Visit;
}

export function createVisitor(options: VisitorOptions): Visitor {
  return { begin: (signal) => beginVisit(options, signal) };
}

function beginVisit(options: VisitorOptions, signal: AbortSignal): Visit {
  const { bounds, metrics, userAgent } = options;
  const onRefused = (_hostname: string, _address: string, range: string) => metrics.refusedAddresses.inc({ range });
  const connecting: ConnectOptions = {
    route: createRouter({ ...options, onRefused }),
    policy: options.policy,
    dial: options.dial,
    connectTimeoutMs: bounds.connectMs,
    onRefused,
  };
  const clients = createClients(connecting, bounds, signal);

  const timed = async (url: URL, { kind, ...wanted }: FetchOptions): Promise<Fetched> => {
    const end = metrics.fetchDuration.startTimer({ kind });
    const onBytes = (bytes: number) => metrics.receivedBytes.inc({ kind }, bytes);
    try {
      return await getOnce(clients.of(url), url, { ...bounds, ...wanted, userAgent, onBytes }, signal);
    } finally {
      end();
    }
  };

  return {
    isMapped: (hostname) => options.scanHosts.find(hostname) !== undefined,
    close: () => clients.close(),
    async fetch(url, wanted) {
      const delayMs = Math.max(options.hostDelayMs, wanted.crawlDelayMs ?? 0);
      try {
        // A host that cannot be reached is not asked, and nobody has to wait for it.
        await connecting.route(url.hostname, url.protocol, signal);
        return await options.pacer.run(url.hostname, delayMs, signal, () => timed(url, wanted));
      } catch (error) {
        throw failureOf(error, signal);
      }
    },
  };
}
