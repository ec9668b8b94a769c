import { withTimeout } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import { headers } from '../event-type.ts';
import { logFieldsOf } from '../log-fields.ts';
import type { Circuits } from './circuits.ts';
import { errorOfCode, noLeader, type ProduceCluster } from './cluster.ts';
import type { ProducerId } from './encode-request.ts';
import { refusalOf } from './failures.ts';
import { addRequest, type Batch, nextSequenceOf, type Partition, type QueuedEvent, takeBatch } from './partition.ts';
import type { PartitionTable } from './partition-table.ts';
import { unavailable } from './unavailable.ts';

/**
 * Sends the queued events of all partitions.
 *
 * - Concurrency: one request at a time per broker. It carries the events of all partitions that the broker leads. A partition is in one
 *   request at a time, which keeps its events in order.
 * - One partition is refused (no leader, too few replicas) -> its batch is repeated after a pause. The other partitions continue.
 * - The replicas of a partition are too slow -> its next requests carry only such partitions, in turn with the requests of the others. Their
 *   failures are not failures of the broker.
 * - A request has no answer -> the batches of its partitions are repeated under the same sequence numbers, so that the broker stores each
 *   once. The leaders are read again.
 * - A partition has no producer id -> it waits for one outside of the requests. Other partitions continue. No id arrives -> its batch is
 *   repeated after a pause, which is no failure of the broker that leads it.
 * - A batch fails for {@link batchTimeoutMs}, or until no caller waits -> it is rejected, together with the events that wait behind it. If
 *   the broker may have stored it, the partition continues under a new producer id.
 */
export interface SenderOptions {
  cluster: ProduceCluster;
  table: PartitionTable;
  circuits: Circuits;
  topicName(topic: string): string;
  lingerMs: number;
  isLast: ((queued: number) => boolean) | undefined;
  clock: Clock;
  logger: Logger;
  /** Called when a request starts. The returned function is called with the number of its events when the request has ended. */
  measure(): (events: number) => void;
}

interface Lane {
  broker: number;
  running: boolean;
  /** Whether the last request carried the partitions whose replicas are too slow. */
  sendsSlow: boolean;
  turnPending: boolean;
  cancelLinger: (() => void) | undefined;
}

/** The maximum bytes of one event and of one request. The broker's default limit is 1 MiB per batch of one partition. */
export const maxEventBytes = 900_000;
const maxBatchSize = 1_000;
/** After this time a request, and a batch with all its attempts, has failed. */
export const batchTimeoutMs = 5_000;
const firstPauseMs = 50;
const maxPauseMs = 500;

export function createSender(options: SenderOptions) {
  const { cluster, table, circuits, lingerMs, isLast, clock, logger } = options;
  /** The partitions that have events to send or are sending some. */
  const active = new Set<Partition>();
  const lanes = new Map<number, Lane>();
  /** The id for partitions that have none. Undefined until it is needed, and after the outcome of a batch was unknown. */
  let producerId: ProducerId | undefined;
  /** The batches that wait for the id. */
  const withoutId = new Set<Batch>();
  let size = 0;
  let drained: PromiseWithResolvers<void> | undefined;

  const settled = (events: number) => {
    size -= events;
    if (size > 0) return;
    drained?.resolve();
    drained = undefined;
  };
  const renewProducerId = (partition: Partition) => {
    partition.producerId = undefined;
    producerId = undefined;
  };
  const laneOf = (broker: number): Lane => {
    let lane = lanes.get(broker);
    if (lane) return lane;
    lane = { broker, running: false, sendsSlow: false, turnPending: false, cancelLinger: undefined };
    lanes.set(broker, lane);
    return lane;
  };
  const waitsForId = ({ batch }: Partition) => batch !== undefined && withoutId.has(batch);
  const isReady = (partition: Partition) => !partition.sending && !partition.endPause && !waitsForId(partition);
  const deactivate = (partition: Partition) => {
    if (!partition.batch && partition.waiting.length === 0) active.delete(partition);
  };

  const fail = ({ partition, events, unknown, attempts }: Batch, error: unknown) => {
    if (unknown) renewProducerId(partition);
    const failed = [...events, ...partition.waiting];
    partition.batch = undefined;
    partition.waiting = [];
    const { topic, number } = partition;
    const origins = logFieldsOf(failed.map(originOf));
    const fields = { err: error, topic, partition: number, events: failed.length, attempts, ...origins };
    // An open circuit was logged. Its probes fail once a second.
    logger[partition.circuit.open ? 'debug' : 'warn'](fields, 'events were not published');
    const rejection = unavailable('the broker did not take it', error);
    for (const { outcome } of failed) outcome.reject(rejection);
    settled(failed.length);
  };
  const hasEnded = ({ startedMs, events }: Batch) =>
    clock.monotonicMs() - startedMs >= batchTimeoutMs || events.every(({ deadline }) => deadline.expired);

  /** Counts a failure: of the broker and all its partitions if it does not answer, otherwise of this partition. */
  const countFailure = (partition: Partition) => {
    const { sending, endPause, leader, batch } = partition;
    const lane = laneOf(leader);
    const waitsForLane = sending || (!endPause && !waitsForId(partition) && lane.running);
    const waitsForBroker = (waitsForLane && !lane.sendsSlow) || batch?.failedWithBroker;
    if (waitsForBroker) circuits.brokerFailed(leader);
    else circuits.failed(partition);
  };
  /** Fails the batch, or repeats it after a pause. */
  const retryOrFail = (batch: Batch, error: unknown) => {
    const { partition } = batch;
    batch.error = error;
    if (hasEnded(batch)) return fail(batch, error);
    const endPause = () => {
      cancel();
      partition.endPause = undefined;
      start(laneOf(partition.leader));
    };
    const cancel = clock.after(Math.min(maxPauseMs, firstPauseMs * 2 ** (batch.attempts - 1)), endPause);
    partition.endPause = endPause;
  };

  const settle = (batch: Batch, code: number) => {
    const { partition, request, events } = batch;
    const refusal = refusalOf(code);
    partition.isSlow = refusal?.isSlow === true;
    if (!refusal) {
      if (request) partition.nextSequence = nextSequenceOf(request);
      partition.batch = undefined;
      for (const { outcome } of events) outcome.resolve();
      settled(events.length);
      return circuits.succeeded(partition);
    }
    batch.unknown ||= refusal.mayBeStored;
    if (refusal.needsProducerId) {
      renewProducerId(partition);
      batch.request = undefined;
    }
    batch.failedWithBroker = false;
    const error = errorOfCode(code);
    if (refusal.isFinal || hasEnded(batch)) {
      circuits.failed(partition);
      fail(batch, error);
    } else retryOrFail(batch, error);
    // Another broker may lead the partition, or the topic was closed because partitions are added.
    table.refresh();
  };

  const requestProducerId = async () => {
    let failure: unknown;
    try {
      const noAnswer = `no producer id in ${batchTimeoutMs} ms`;
      producerId = await withTimeout(cluster.newProducerId(), batchTimeoutMs, noAnswer, clock);
    } catch (error) {
      failure = error;
    }
    const batches = [...withoutId];
    withoutId.clear();
    if (producerId) return startAll();
    for (const batch of batches) {
      batch.attempts += 1;
      batch.failedWithBroker = false;
      if (hasEnded(batch)) circuits.failed(batch.partition);
      retryOrFail(batch, failure);
      deactivate(batch.partition);
    }
    table.refresh();
  };
  /** Returns false if the batch has to wait for a producer id. */
  const hasProducerId = (batch: Batch): boolean => {
    const { partition } = batch;
    if (batch.request || partition.producerId) return true;
    if (producerId) {
      partition.producerId = producerId;
      partition.nextSequence = 0;
      return true;
    }
    withoutId.add(batch);
    if (withoutId.size === 1) void requestProducerId();
    return false;
  };

  const take = (broker: number, isSlow: boolean): Batch[] => {
    const batches: Batch[] = [];
    const room = { events: maxBatchSize, bytes: maxEventBytes };
    const nowMs = clock.monotonicMs();
    for (const partition of [...active]) {
      if (partition.leader !== broker || partition.isSlow !== isSlow || !isReady(partition)) continue;
      const { batch: repeated } = partition;
      if (repeated && hasEnded(repeated)) {
        if (repeated.failedWithBroker) circuits.brokerFailed(broker);
        else circuits.failed(partition);
        fail(repeated, repeated.error);
      }
      const batch = takeBatch(partition, { room, isFirst: batches.length === 0, nowMs, withdraw: settled });
      if (!batch) {
        deactivate(partition);
        continue;
      }
      if (!hasProducerId(batch)) continue;
      batches.push(batch);
      room.events -= batch.events.length;
      room.bytes -= batch.bytes;
      // The next request starts with the other partitions.
      active.delete(partition);
      active.add(partition);
      if (room.events <= 0 || room.bytes <= 0) break;
    }
    return batches;
  };

  const send = async (broker: number, batches: readonly Batch[]) => {
    const events = batches.reduce((sum, batch) => sum + batch.events.length, 0);
    for (const batch of batches) {
      batch.partition.sending = true;
      batch.attempts += 1;
    }
    const measured = options.measure();
    let isSent = false;
    const request = async () => {
      if (broker === noLeader) throw new Error('the partition has no leader');
      const requests = batches.map((batch) => addRequest(batch, options.topicName(batch.partition.topic)));
      isSent = true;
      return cluster.produce(broker, requests);
    };
    try {
      const noAnswer = `no answer from the broker in ${batchTimeoutMs} ms`;
      const codes = await withTimeout(request(), batchTimeoutMs, noAnswer, clock);
      batches.forEach((batch, index) => {
        batch.partition.sending = false;
        settle(batch, codes[index] as number);
      });
      circuits.brokerAnswered(broker);
    } catch (error) {
      // The failure of a partition without a leader is its own.
      const withBroker = broker !== noLeader;
      const ended = batches.filter(hasEnded);
      if (withBroker && ended.length > 0) circuits.brokerFailed(broker);
      if (!withBroker) for (const { partition } of ended) circuits.failed(partition);
      for (const batch of batches) {
        batch.partition.sending = false;
        batch.unknown ||= isSent;
        batch.failedWithBroker = withBroker;
        retryOrFail(batch, error);
      }
      if (withBroker) cluster.drop(broker);
      table.refresh();
    } finally {
      measured(events);
      for (const { partition } of batches) {
        deactivate(partition);
        // While a request is under way, the lane of a new leader does not take the partition.
        if (partition.leader !== broker && active.has(partition)) start(laneOf(partition.leader));
      }
    }
  };

  const takeNext = (lane: Lane): Batch[] => {
    for (const isSlow of [!lane.sendsSlow, lane.sendsSlow]) {
      const batches = take(lane.broker, isSlow);
      if (batches.length === 0) continue;
      lane.sendsSlow = isSlow;
      return batches;
    }
    lane.sendsSlow = false;
    return [];
  };
  const run = async (lane: Lane) => {
    lane.running = true;
    lane.cancelLinger?.();
    lane.cancelLinger = undefined;
    for (let batches = takeNext(lane); batches.length > 0; batches = takeNext(lane)) {
      await send(lane.broker, batches);
    }
    lane.running = false;
  };
  const start = (lane: Lane) => {
    if (!lane.running) void run(lane);
  };
  const endOfTurn = (lane: Lane) => {
    lane.turnPending = false;
    if (lane.running) return;
    if (lingerMs === 0 || size >= maxBatchSize || isLast?.(size)) return start(lane);
    lane.cancelLinger ??= clock.after(lingerMs, () => start(lane));
  };
  const startAll = () => {
    for (const { leader } of active) start(laneOf(leader));
  };
  table.onChange(startAll);

  return {
    get size() {
      return size;
    },
    submit(partition: Partition, event: Omit<QueuedEvent, 'outcome'>): Promise<void> {
      const outcome = Promise.withResolvers<void>();
      partition.waiting.push({ ...event, outcome });
      active.add(partition);
      size += 1;
      const lane = laneOf(partition.leader);
      // A running lane takes the event next. Without `isLast`, a lingering one takes it at the end of the linger.
      if (!lane.running && !lane.turnPending && (isLast || !lane.cancelLinger)) {
        lane.turnPending = true;
        setImmediate(endOfTurn, lane);
      }
      return event.deadline.race(outcome.promise);
    },
    /** A caller's time limit has passed while its event waited or was sent. */
    timedOut: countFailure,
    /** Sends the waiting events without linger. Resolves when no event waits or is sent. */
    flush(): Promise<void> {
      if (size === 0) return Promise.resolve();
      startAll();
      drained ??= Promise.withResolvers();
      return drained.promise;
    },
  };
}

const originOf = ({ record: { headers: all } }: QueuedEvent) => ({
  requestId: String(all[headers.requestId] ?? ''),
  environment: String(all[headers.environment] ?? ''),
});
