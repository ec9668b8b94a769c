import { createCircuitBreaker } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';
import type { Partition } from './partition.ts';

/**
 * One circuit breaker per partition. If a partition has no leader or too few replicas, only its own events are refused.
 *
 * - A broker does not answer -> this is a failure of every partition that it leads. After three in a row, the circuits of all its partitions are
 *   open, also of those that are added later. The next answer of the broker closes the circuits that its failures kept open.
 * - A partition gets another leader -> its circuit closes.
 * - No event reaches a partition for {@link forgetMs} after its last failure -> its circuit closes, because nothing would close it.
 */
export type Circuits = ReturnType<typeof createCircuits>;

const failuresToOpen = 3;
const probeIntervalMs = 1_000;
const forgetMs = 30_000;

export function createCircuits(options: { registry: Registry; logger: Logger; clock: Clock; bestEffort: boolean }) {
  const { clock, logger, bestEffort } = options;
  const partitions = new Set<Partition>();
  const { gauge } = metricsOf(options.registry);
  const metrics = bestEffort
    ? undefined
    : {
        available: gauge('kafka_producer_available', '0 while the circuits of all partitions are open'),
        open: gauge('kafka_producer_open_circuits', 'Partitions whose events are refused', ['topic']),
      };
  metrics?.available.set(1);
  const open = new Set<Partition>();
  /** The failures of a broker since its last answer. */
  const silences = new Map<number, number>();
  let cancelTimer: (() => void) | undefined;

  const anyClosed = () => open.size === 0 || open.size < partitions.size;
  const report = (partition: Partition) => {
    const isOpen = partition.circuit.open;
    if (isOpen === open.has(partition)) return;
    if (isOpen) open.add(partition);
    else open.delete(partition);
    const { topic, number } = partition;
    const fields = { topic, partition: number };
    if (isOpen) logger.warn(fields, 'kafka takes no events of a partition; one per second is tried');
    else logger.info(fields, 'kafka takes events of a partition again');
    metrics?.open.set({ topic }, [...open].filter((each) => each.topic === topic).length);
    metrics?.available.set(anyClosed() ? 1 : 0);
    if (open.size > 0) cancelTimer ??= clock.after(forgetMs, forget);
  };
  const close = (partition: Partition) => {
    partition.circuit.succeeded();
    report(partition);
  };
  const forget = () => {
    cancelTimer = undefined;
    const atMs = clock.monotonicMs() - forgetMs;
    for (const partition of open) if (partition.failedAtMs <= atMs) close(partition);
    if (open.size > 0) cancelTimer ??= clock.after(forgetMs, forget);
  };
  const fail = (partition: Partition, withBroker: boolean) => {
    partition.circuit.failed();
    partition.failedAtMs = clock.monotonicMs();
    partition.failedWithBroker = withBroker;
    report(partition);
  };
  const isSilent = (broker: number) => (silences.get(broker) ?? 0) >= failuresToOpen;
  const openWithBroker = (partition: Partition) => {
    for (let failures = 0; failures < failuresToOpen && !partition.circuit.open; failures++) fail(partition, true);
  };

  return {
    create: () => createCircuitBreaker({ failures: failuresToOpen, probeIntervalMs, clock }),
    add(partition: Partition): void {
      partitions.add(partition);
      if (isSilent(partition.leader)) openWithBroker(partition);
    },
    failed: (partition: Partition) => fail(partition, false),
    brokerFailed(broker: number): void {
      silences.set(broker, (silences.get(broker) ?? 0) + 1);
      for (const partition of partitions) {
        if (partition.leader !== broker) continue;
        fail(partition, true);
        if (isSilent(broker)) openWithBroker(partition);
      }
    },
    succeeded: close,
    brokerAnswered(broker: number): void {
      silences.delete(broker);
      for (const partition of open) if (partition.leader === broker && partition.failedWithBroker) close(partition);
    },
    /** Whether any partition takes events. */
    get anyClosed() {
      return anyClosed();
    },
    remove(partition: Partition): void {
      partitions.delete(partition);
      close(partition);
    },
    stop(): void {
      cancelTimer?.();
    },
  };
}
