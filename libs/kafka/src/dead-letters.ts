import { randomUUID } from 'node:crypto';
import type { KafkaMessage } from 'kafkajs';
import { appendTimeOf } from './decode.ts';
import { headers, type RawRecord } from './event-type.ts';
import { maxEventBytes, recordBytes } from './producer.ts';

/** The place of the original event, and the reason why it was not handled. */
export interface DeadLetterOrigin {
  topic: string;
  partition: number;
  groupId: string;
  reason: string;
}

const maxReasonChars = 1_000;

/** Whether a header belongs to the origin. Only the consumer writes these headers: a publisher's headers would forge the origin. */
const isOriginHeader = (name: string): boolean => name.startsWith('dlq-');

/**
 * The record for the dead-letter topic. It has the original bytes, key and headers, and further headers with the origin.
 *
 * - The record would be larger than the broker accepts -> it has the size of the original in place of the bytes, key and headers. Otherwise
 *   the partition would stop at this record. The original stays at its origin until the retention time of the topic ends.
 */
export function deadLetterRecord(message: KafkaMessage, origin: DeadLetterOrigin): RawRecord {
  // A record without a key gets one: kafkajs loses and duplicates records without keys when connections drop.
  const original = { key: message.key ?? randomUUID(), value: message.value, headers: originalHeaders(message) };
  const bytes = recordBytes(original);
  if (bytes + maxOriginBytes <= maxEventBytes) return withOrigin(original, message, origin);
  const omitted = { [headers.dlqOmittedBytes]: String(bytes) };
  return withOrigin({ key: randomUUID(), value: Buffer.alloc(0), headers: omitted }, message, origin);
}

/** An upper estimate of the size of the origin headers. A character of the reason has at most three bytes. */
const maxOriginBytes = 3 * maxReasonChars + 1_000;

function withOrigin(record: RawRecord, message: KafkaMessage, origin: DeadLetterOrigin): RawRecord {
  const appendedAtMs = appendTimeOf(message);
  return {
    ...record,
    headers: {
      ...record.headers,
      [headers.dlqReason]: origin.reason.slice(0, maxReasonChars),
      [headers.dlqTopic]: origin.topic,
      [headers.dlqPartition]: String(origin.partition),
      [headers.dlqOffset]: message.offset,
      [headers.dlqGroup]: origin.groupId,
      ...(appendedAtMs === undefined ? {} : { [headers.dlqAppendedAt]: String(appendedAtMs) }),
    },
  };
}

/** The record as it was before it became a dead letter. */
export function restoredRecord(message: KafkaMessage): RawRecord {
  return { key: message.key ?? randomUUID(), value: message.value, headers: originalHeaders(message) };
}

/** The view of a dead letter for operators. */
export interface DeadLetter {
  offset: string;
  deadLetteredAtMs: number;
  reason: string;
  groupId: string;
  eventType: string;
  requestId: string;
  /** As in the header of the event. '' if it has none. */
  environment: string;
  /** When the broker stored the original record. Undefined if publishers set the time of the records in its topic. */
  appendedAtMs: number | undefined;
  /** The size of an original that was too large for a dead letter. The letter is then empty; the original is at its origin. */
  omittedBytes: number | undefined;
  /** The place of the original record. */
  origin: { partition: string; offset: string };
}

export function toDeadLetter(message: KafkaMessage): DeadLetter {
  const plain = plainHeaders(message);
  const text = (name: string) => String(plain[name] ?? '');
  const numberIn = (name: string) => (/^\d{1,15}$/.test(text(name)) ? Number(text(name)) : undefined);
  return {
    offset: message.offset,
    deadLetteredAtMs: Number(message.timestamp),
    reason: text(headers.dlqReason),
    groupId: text(headers.dlqGroup),
    eventType: text(headers.type),
    requestId: text(headers.requestId),
    environment: text(headers.environment),
    appendedAtMs: numberIn(headers.dlqAppendedAt),
    omittedBytes: numberIn(headers.dlqOmittedBytes),
    origin: { partition: text(headers.dlqPartition), offset: text(headers.dlqOffset) },
  };
}

const originalHeaders = (message: KafkaMessage): Record<string, string | Buffer> =>
  Object.fromEntries(Object.entries(plainHeaders(message)).filter(([name]) => !isOriginHeader(name)));

function plainHeaders(message: KafkaMessage): Record<string, string | Buffer> {
  const plain: Record<string, string | Buffer> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) plain[name] = first;
  }
  return plain;
}
