import type { DevEnv } from '../../../src/index.ts';

/** Metrics of processes, connections, queues and calls, of work in both environments. `scan_lease_wait` counts scanners that wait for work. */
const ofMachinery =
  /^(?:process|nodejs|kafka|outbox|mongodb|redis|opensearch|grpc|log_lines|gateway_reports|gateway_key_events|request_wait|scan_lease_wait)_/;
/** Series of test data, and the requests for documents that anybody may read. A key has no effect on these requests. */
const uncounted =
  /environment="test"|topic="test-|^\S+ test_tenant_requests_total|operation="(?:getHost|getIndex|getHealth|getOpenapi)"/;

/** Reads the counters and the counts of histograms about requests, stores and units of production, by service and series. */
export async function readCounts(env: DevEnv): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name, adminUrl } of env.services) {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    for (const [, metric = '', type] of text.matchAll(/^# TYPE (\S+) (counter|histogram)$/gm)) {
      if (ofMachinery.test(metric)) continue;
      const sample = new RegExp(`^${metric}${type === 'histogram' ? '_count' : ''}(?:\\{.*\\})? (\\S+)$`, 'gm');
      for (const [line, value] of text.matchAll(sample)) {
        const series = `${name} ${line.slice(0, line.lastIndexOf(' '))}`;
        if (!uncounted.test(series)) counts.set(series, (counts.get(series) ?? 0) + Number(value));
      }
    }
  }
  return counts;
}

/** Returns the series that have grown. */
export const grownBetween = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] =>
  [...after].filter(([series, count]) => count > (before.get(series) ?? 0)).map(([series]) => series);
