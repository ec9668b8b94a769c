import type { Origin } from '@shopscope/telemetry';

/** The contract of an event between publishers and consumers. @shopscope/proto defines the values. */
export interface EventType<T> {
  /** e.g. `usage.recorded` */
  name: string;
  version: number;
  /** The topic's name without the prefix, e.g. `usage.v1`. */
  topic: string;
  encode(event: T): Uint8Array;
  decode(bytes: Uint8Array): T;
  /** Returns the partition key. Events of one key stay in order. */
  key(event: T): string;
}

/** The origin of an event. Its headers carry it. */
export type EventMeta = Origin;

export const headers = {
  type: 'event-type',
  version: 'event-version',
  requestId: 'request-id',
  traceparent: 'traceparent',
  environment: 'environment',
  dlqReason: 'dlq-reason',
  dlqTopic: 'dlq-topic',
  dlqPartition: 'dlq-partition',
  dlqOffset: 'dlq-offset',
  dlqGroup: 'dlq-group',
  dlqAppendedAt: 'dlq-appended-at-ms',
  dlqOmittedBytes: 'dlq-omitted-bytes',
} as const;

export interface RawRecord {
  key: string | Buffer;
  value: Uint8Array | null;
  headers: Record<string, string | Buffer>;
}

export interface EncodedEvent extends RawRecord {
  key: string;
  value: Uint8Array;
  headers: Record<string, string>;
}

export function encodeEvent<T>(
  type: EventType<T>,
  event: T,
  meta: EventMeta,
  more: Record<string, string> = {},
): EncodedEvent {
  const all: Record<string, string> = {
    ...more,
    [headers.type]: type.name,
    [headers.version]: String(type.version),
    [headers.requestId]: meta.requestId,
    [headers.traceparent]: meta.traceparent,
  };
  if (meta.environment !== null) all[headers.environment] = meta.environment;
  return { key: type.key(event), value: type.encode(event), headers: all };
}

/** An event with its place in the topic, as a handler receives it. */
export interface Received<T> {
  event: T;
  meta: EventMeta;
  /** The topic's name without the prefix. */
  topic: string;
  partition: number;
  offset: string;
  key: string;
  timestampMs: number;
  /** When the broker stored the record. Undefined if publishers set the time of the topic's records (see `TopicDefinition.appendTime`). */
  appendedAtMs: number | undefined;
  /** Returns the text of a header, or '' if the event lacks it. */
  header(name: string): string;
}

export interface Subscription<T> {
  type: EventType<T>;
  /** Handles events of one partition, in order. If it rejects, all of them are delivered again, perhaps in other batches. */
  handle(events: Received<T>[]): Promise<void>;
  /**
   * Returns a reason if an event must not be handled. The event then goes to the dead-letter topic, and `handle` never receives it. It is
   * called again for an event that is delivered again.
   */
  refusalOf?(event: Received<T>): Promise<string | undefined>;
}

/** Thrown by a handler that will never accept an event. The event goes to the dead-letter topic. */
export class PoisonError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'PoisonError';
  }
}
