import { Counter, Gauge, Histogram, latencyBuckets, type Registry } from '@shopscope/telemetry';

/** What the scanner counts. Labels are closed sets: hostile input never names a series. */
export function createScannerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    scans: new Counter({
      name: 'scanner_scans_total',
      help: 'Scans by how they ended: observed, unreachable, refused, abandoned or lost, and why',
      labelNames: ['outcome', 'reason'],
      registers,
    }),
    scanDuration: new Histogram({
      name: 'scanner_scan_duration_seconds',
      help: 'From the lease to its end',
      buckets: [...latencyBuckets, 20, 30, 60],
      registers,
    }),
    inHand: new Gauge({ name: 'scanner_scans_in_hand', help: 'Scans being carried out', registers }),
    fetchDuration: new Histogram({
      name: 'scanner_fetch_duration_seconds',
      help: 'Requests to the outside web, by what was asked for',
      labelNames: ['kind'],
      buckets: [...latencyBuckets, 20, 30],
      registers,
    }),
    receivedBytes: new Counter({
      name: 'scanner_received_bytes_total',
      help: 'Body bytes received, as they came over the wire',
      labelNames: ['kind'],
      registers,
    }),
    refusedAddresses: new Counter({
      name: 'scanner_refused_addresses_total',
      help: 'Connections not made because the address is not a public one, by its range',
      labelNames: ['range'],
      registers,
    }),
  };
}

export type ScannerMetrics = ReturnType<typeof createScannerMetrics>;
