import autocannon from 'autocannon';
import { cpuTimes, cpuUsPer } from './cpu.ts';

export interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  /**
   * A list: each connection repeats its share, so that no two connections send the same request at one time.
   * A function makes the next request of any connection, for requests that are too many for a list.
   */
  requests: autocannon.Request[] | (() => autocannon.Request);
  /** Number of requests in all. Then `seconds` has no effect. */
  amount?: number;
  headers: Record<string, string>;
  /** Processes whose CPU time is measured. */
  pids: Record<string, number>;
}

export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 2xx, and connection errors. */
  failures: number;
  /** CPU µs per request, by process. */
  cpuUs: Record<string, number>;
}

/** Load for some seconds: each connection sends its next request after the response. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  let connected = 0;
  const before = cpuTimes(options.pids);
  const { requests, amount } = options;
  const result = await autocannon({
    url: options.url,
    connections: options.connections,
    duration: options.seconds,
    ...(amount === undefined ? {} : { amount }),
    headers: options.headers,
    setupClient: (client) => {
      const first = connected++;
      if (typeof requests === 'function') {
        // autocannon calls it before each request, with its own defaults.
        const setupRequest = (defaults: autocannon.Request) => {
          const request = requests();
          return { ...defaults, ...request, headers: { ...defaults.headers, ...request.headers } };
        };
        client.setRequests([{ setupRequest }]);
      } else client.setRequests(requests.filter((_, n) => n % options.connections === first));
    },
  });
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    cpuUs: cpuUsPer(result.requests.total, before, cpuTimes(options.pids)),
  };
}
