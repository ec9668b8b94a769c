import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  requests: autocannon.Request[];
  headers: Record<string, string>;
  /** Process whose CPU time is counted. */
  pids: Record<string, number>;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, and connection errors. */
  failures: number;
  /** CPU µs per request, by process. */
  cpuUs: Record<string, number>;
}

/** Closed-loop load for some seconds. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const before = cpuTimes(options.pids);
  const result = await autocannon({
    url: options.url,
    connections: options.connections,
    duration: options.seconds,
    requests: options.requests,
    headers: options.headers,
  });
  const after = cpuTimes(options.pids);
  const total = Math.max(1, result.requests.total);
  const cpuUs = Object.fromEntries(
    Object.keys(options.pids).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / total]),
  );
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    cpuUs,
  };
}

/** µs of CPU that each process has used; the kernel counts in hundredths of a second. Empty where there is no /proc. */
function cpuTimes(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [name, (Number(fields[11]) + Number(fields[12])) * 10_000];
      } catch {
        return [name, 0];
      }
    }),
  );
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
