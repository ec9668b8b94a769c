import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import type { LoadResult } from './load.ts';
import { percentile } from './statistics.ts';

/** The default of `method` is GET. */
export type SteadyRequest = Pick<Request, 'method' | 'path' | 'headers' | 'body'>;

export interface SteadyLoadOptions {
  url: string;
  /** The number of connections that are kept open. A request waits while all of them are busy. */
  connections: number;
  seconds: number;
  perSecond: number;
  requests: readonly SteadyRequest[];
  /** The processes whose CPU time is measured. */
  pids: Record<string, number>;
}

/**
 * Sends requests at an even rate for some seconds. autocannon cannot do this: it sends the requests of each second in one burst, so
 * its p99 is that of the burst.
 *
 * The latency of a request counts from its planned time. A slow response therefore does not hide the delay of later requests.
 */
export async function steadyLoad({ pids, ...options }: SteadyLoadOptions): Promise<LoadResult> {
  const before = cpuTimes(pids);
  const startMs = performance.now();
  const { latenciesMs, failures } = await steadyLatencies(options);
  const total = latenciesMs.length;
  return {
    requests: total,
    requestsPerSecond: (total / (performance.now() - startMs)) * 1_000,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    failures,
    cpuUs: cpuUsPer(total, before, cpuTimes(pids)),
  };
}

/** Sends the same requests as {@link steadyLoad}, and resolves to the latency of each. */
export async function steadyLatencies(
  options: Omit<SteadyLoadOptions, 'pids'>,
): Promise<{ latenciesMs: number[]; failures: number }> {
  const { url, connections, seconds, perSecond, requests } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  let failures = 0;
  const send = async (n: number, plannedMs: number) => {
    const { method = 'GET', path = '', headers = {}, body } = requests[n % requests.length] as SteadyRequest;
    try {
      const sending = request(url + path, { agent, method, headers }).end(body);
      const [response] = await once(sending, 'response');
      await once(response.resume(), 'end');
      if (response.statusCode !== 200) failures++;
    } catch {
      failures++;
    }
    latenciesMs.push(performance.now() - plannedMs);
  };
  const startMs = performance.now();
  const total = perSecond * seconds;
  const sent: Promise<void>[] = [];
  while (sent.length < total) {
    const plannedMs = startMs + (sent.length * 1_000) / perSecond;
    const waitMs = plannedMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    sent.push(send(sent.length, plannedMs));
  }
  await Promise.all(sent);
  agent.destroy();
  return { latenciesMs, failures };
}
