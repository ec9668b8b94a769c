/** The contract of an event between publishers and consumers. @shopscope/proto defines the values. */
export interface EventType<T> {
  /** e.g. `usage.recorded` */
  name: string;
  version: number;
  /** Without prefix, e.g. `usage.v1`. */
  topic: string;
  encode(event: T): Uint8Array;
  decode(bytes: Uint8Array): T;
  /** Partition key: events of one key stay in order. */
  key(event: T): string;
}

/** Headers of every event. */
export interface EventMeta {
  requestId: string;
  traceparent: string;
}

export const headers = {
  type: 'event-type',
  version: 'event-version',
  requestId: 'request-id',
  traceparent: 'traceparent',
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
  return {
    key: type.key(event),
    value: type.encode(event),
    headers: {
      ...more,
      [headers.type]: type.name,
      [headers.version]: String(type.version),
      [headers.requestId]: meta.requestId,
      [headers.traceparent]: meta.traceparent,
    },
  };
}

/** An event with its place in the topic, as a handler receives it. */
export interface Received<T> {
  event: T;
  meta: EventMeta;
  /** Without prefix. */
  topic: string;
  partition: number;
  offset: string;
  key: string;
  timestampMs: number;
  /** When the broker stored the record. Undefined in a topic whose publishers write the time (TopicDefinition.appendTime). */
  appendedAtMs: number | undefined;
  /** The text of a header; '' without it. */
  header(name: string): string;
}

export interface Subscription<T> {
  type: EventType<T>;
  /** Events of one partition, in order. A rejection leaves all of them unhandled: they are delivered again, perhaps in other batches. */
  handle(events: Received<T>[]): Promise<void>;
  /**
   * The reason for which an event must not be handled. It goes to the dead-letter topic then, and `handle` does not see it.
   * An event that is delivered again is asked for again.
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
