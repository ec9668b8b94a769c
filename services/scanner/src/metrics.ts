import { Counter, Gauge, Histogram, latencyBuckets, type Registry } from '@shopscope/telemetry';

/** Labels have closed sets of values, so hostile input cannot create time series. */
export function createScannerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    scans: new Counter({
      name: 'scanner_scans_total',
      help: 'Ended scans by outcome (observed, unreachable, refused, not_the_store, abandoned, lost) and reason',
      labelNames: ['outcome', 'reason'],
      registers,
    }),
    scanDuration: new Histogram({
      name: 'scanner_scan_duration_seconds',
      help: 'Duration of a scan, from the lease to its end',
      buckets: [...latencyBuckets, 20, 30, 60],
      registers,
    }),
    inProgress: new Gauge({ name: 'scanner_scans_in_hand', help: 'Scans in progress', registers }),
    fetchDuration: new Histogram({
      name: 'scanner_fetch_duration_seconds',
      help: 'Duration of requests to stores, by kind of resource',
      labelNames: ['kind'],
      buckets: [...latencyBuckets, 20, 30],
      registers,
    }),
    receivedBytes: new Counter({
      name: 'scanner_received_bytes_total',
      help: 'Body bytes received, before decompression',
      labelNames: ['kind'],
      registers,
    }),
    dnsQueries: new Counter({
      name: 'scanner_dns_queries_total',
      help: 'Queries for DNS records of stores, by type and result (answered, empty, failed, timeout)',
      labelNames: ['type', 'result'],
      registers,
    }),
    egressBroken: new Gauge({
      name: 'scanner_egress_broken',
      help: '1 while no canary can be reached and leasing is paused',
      registers,
    }),
    canaryRounds: new Counter({
      name: 'scanner_canary_rounds_total',
      help: 'Rounds in which all canaries were asked, by result: reached (at least one) or failed',
      labelNames: ['result'],
      registers,
    }),
    examinationDuration: new Histogram({
      name: 'scanner_examination_duration_seconds',
      help: 'Duration of examinations in the examiner process, without their time in the queue',
      labelNames: ['kind'],
      buckets: [...latencyBuckets, 20],
      registers,
    }),
    examinationWait: new Histogram({
      name: 'scanner_examination_wait_seconds',
      help: 'Time of examinations in the queue of the examiner process',
      buckets: [...latencyBuckets, 20, 60],
      registers,
    }),
    endedExaminers: new Counter({
      name: 'scanner_examiners_ended_total',
      help: 'Examiner processes that ended before the scanner stopped, by cause (cpu, memory, stalled, crash, retired, start)',
      labelNames: ['cause'],
      registers,
    }),
    unknownHandles: new Histogram({
      name: 'scanner_unknown_handles',
      help: 'Apps, plugins and modules that the home page of a scan names and no rule knows, at most 60 per scan',
      buckets: [0, 1, 2, 5, 10, 20, 40],
      registers,
    }),
    refusedAddresses: new Counter({
      name: 'scanner_refused_addresses_total',
      help: 'Connections refused because the address is not public, by range of the address',
      labelNames: ['range'],
      registers,
    }),
  };
}

export type ScannerMetrics = ReturnType<typeof createScannerMetrics>;
