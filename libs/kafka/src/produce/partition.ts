import type { CircuitBreaker, Deadline } from '@shopscope/async';
import type { RawRecord } from '../event-type.ts';
import type { PartitionBatch, ProducerId } from './encode-request.ts';

/** An event and the caller that waits for it. */
export interface QueuedEvent {
  record: RawRecord;
  bytes: number;
  deadline: Deadline;
  outcome: PromiseWithResolvers<void>;
}

/** Events that a request carries. Until its outcome is known, it is repeated as it is, and no later event of the partition is sent. */
export interface Batch {
  partition: Partition;
  events: readonly QueuedEvent[];
  bytes: number;
  startedMs: number;
  attempts: number;
  /** Set at the first attempt. */
  request: PartitionBatch | undefined;
  /** Whether the broker may have stored it. */
  unknown: boolean;
  /** Why the last attempt failed. */
  error: unknown;
  /** Whether the last attempt had no answer of the broker. */
  failedWithBroker: boolean;
}

export interface Partition {
  /** Without the prefix. */
  topic: string;
  number: number;
  /** The id of the broker that leads it, or `noLeader`. */
  leader: number;
  /** In the order of their arrival. */
  waiting: QueuedEvent[];
  batch: Batch | undefined;
  sending: boolean;
  /** Whether its replicas were too slow for the last batch. */
  isSlow: boolean;
  /** Ends the pause before the next attempt of a failed batch. Undefined without a pause. */
  endPause: (() => void) | undefined;
  producerId: ProducerId | undefined;
  nextSequence: number;
  circuit: CircuitBreaker;
  failedAtMs: number;
  /** Whether the last failure was one of the broker, and not of this partition alone. */
  failedWithBroker: boolean;
}

export function createPartition(topic: string, number: number, leader: number, circuit: CircuitBreaker): Partition {
  return {
    topic,
    number,
    leader,
    waiting: [],
    batch: undefined,
    sending: false,
    isSlow: false,
    endPause: undefined,
    producerId: undefined,
    nextSequence: 0,
    circuit,
    failedAtMs: 0,
    failedWithBroker: false,
  };
}

/** The room that is left in a request. */
export interface Room {
  events: number;
  bytes: number;
}

/**
 * Returns the partition's next batch, if it fits. A batch of an empty request always fits. `withdraw` gets the number of events whose
 * callers gave up before any request carried them.
 */
export function takeBatch(
  partition: Partition,
  options: { room: Room; isFirst: boolean; nowMs: number; withdraw(events: number): void },
): Batch | undefined {
  const { room, isFirst, nowMs } = options;
  const { batch: repeated } = partition;
  if (repeated) {
    return isFirst || (repeated.events.length <= room.events && repeated.bytes <= room.bytes) ? repeated : undefined;
  }
  const events: QueuedEvent[] = [];
  let bytes = 0;
  let taken = 0;
  for (const event of partition.waiting) {
    if (!event.deadline.expired) {
      if (events.length >= room.events) break;
      if (bytes + event.bytes > room.bytes && !(isFirst && events.length === 0)) break;
      events.push(event);
      bytes += event.bytes;
    }
    taken += 1;
  }
  if (taken > events.length) options.withdraw(taken - events.length);
  partition.waiting = taken === partition.waiting.length ? [] : partition.waiting.slice(taken);
  if (events.length === 0) return undefined;
  partition.batch = {
    partition,
    events,
    bytes,
    startedMs: nowMs,
    attempts: 0,
    request: undefined,
    unknown: false,
    error: undefined,
    failedWithBroker: false,
  };
  return partition.batch;
}

/** Adds the sequence number and the producer's id, which the partition has, to a batch that was not sent yet. */
export function addRequest(batch: Batch, topicName: string): PartitionBatch {
  if (batch.request) return batch.request;
  const { partition, events } = batch;
  batch.request = {
    topic: topicName,
    partition: partition.number,
    producerId: partition.producerId as ProducerId,
    firstSequence: partition.nextSequence,
    records: events.map(({ record }) => record),
  };
  return batch.request;
}

/** Sequence numbers are 31 bits long and start again at 0. */
export const nextSequenceOf = ({ firstSequence, records }: PartitionBatch): number =>
  (firstSequence + records.length) % 2 ** 31;
