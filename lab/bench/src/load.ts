import autocannon from 'autocannon';
import { cpuTimes, cpuUsPer } from './cpu.ts';

export interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  /**
   * With a list, each connection repeats its share, so that two connections never send the same request at the same time.
   * A function makes the next request of any connection. It is for requests that are too many for a list.
   */
  requests: autocannon.Request[] | (() => autocannon.Request);
  /** The number of requests of all connections together. If it is set, `seconds` has no effect. */
  amount?: number;
  headers: Record<string, string>;
  /** The processes whose CPU time is measured. */
  pids: Record<string, number>;
}

export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The number of responses other than 2xx, connection errors and time-outs. */
  failures: number;
  /** The CPU time per request of each process, in µs. */
  cpuUs: Record<string, number>;
}

/** Sends requests for some seconds. Each connection sends its next request after the response. */
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
        // autocannon calls this function before each request, and passes its own defaults.
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
