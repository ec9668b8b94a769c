import { latencyBuckets, metricsOf, type Registry } from '@shopscope/telemetry';

/** Labels have closed sets of values. Hostile input therefore cannot create time series. */
export function createMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOf(registry);
  return {
    scans: counter(
      'scanner_scans_total',
      'Ended scans by outcome (observed, unreachable, refused, not_the_store, abandoned, lost) and reason',
      ['outcome', 'reason'],
    ),
    scanDuration: histogram('scanner_scan_duration_seconds', 'Duration of a scan, from the lease to its end', [
      ...latencyBuckets,
      20,
      30,
      60,
    ]),
    inProgress: gauge('scanner_scans_in_hand', 'Scans in progress'),
    fetchDuration: histogram(
      'scanner_fetch_duration_seconds',
      'Duration of requests to stores, by kind of resource',
      [...latencyBuckets, 20, 30],
      ['kind'],
    ),
    receivedBytes: counter('scanner_received_bytes_total', 'Body bytes received, before decompression', ['kind']),
    dnsQueries: counter(
      'scanner_dns_queries_total',
      'Queries for DNS records of stores, by type and result (answered, empty, failed, timeout)',
      ['type', 'result'],
    ),
    egressBroken: gauge('scanner_egress_broken', '1 while no canary can be reached and leasing is paused'),
    canaryRounds: counter(
      'scanner_canary_rounds_total',
      'Rounds in which all canaries were asked, by result: reached (at least one) or failed',
      ['result'],
    ),
    examinationDuration: histogram(
      'scanner_examination_duration_seconds',
      'Duration of examinations in the examiner process, without their time in the queue',
      [...latencyBuckets, 20],
      ['kind'],
    ),
    examinationWait: histogram(
      'scanner_examination_wait_seconds',
      'Time of examinations in the queue of the examiner process',
      [...latencyBuckets, 20, 60],
    ),
    endedExaminers: counter(
      'scanner_examiners_ended_total',
      'Examiner processes that ended before the scanner stopped, by cause (cpu, memory, stalled, crash, retired, start)',
      ['cause'],
    ),
    unknownHandles: histogram(
      'scanner_unknown_handles',
      'Apps, plugins and modules that the home page of a scan names and no rule knows, at most 60 per scan',
      [0, 1, 2, 5, 10, 20, 40],
    ),
    refusedAddresses: counter(
      'scanner_refused_addresses_total',
      'Connections refused because the address is not public, by range of the address',
      ['range'],
    ),
  };
}

export type ScannerMetrics = ReturnType<typeof createMetrics>;
