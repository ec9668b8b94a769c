import { randomUUID } from 'node:crypto';
import type { KafkaMessage } from 'kafkajs';
import { headers, type RawRecord } from './event-type.ts';

/** Where a dead letter comes from and why it is one. */
export interface Grave {
  topic: string;
  partition: number;
  groupId: string;
  reason: string;
}

const maxReasonChars = 1_000;

/** The original bytes, key and headers, with the reason and the origin beside them. */
export function deadLetter(message: KafkaMessage, grave: Grave): RawRecord {
  return {
    // A record without a key gets one: sends without keys lose and double events when connections drop.
    key: message.key ?? randomUUID(),
    value: message.value,
    headers: {
      ...plainHeaders(message),
      [headers.dlqReason]: grave.reason.slice(0, maxReasonChars),
      [headers.dlqTopic]: grave.topic,
      [headers.dlqPartition]: String(grave.partition),
      [headers.dlqOffset]: message.offset,
      [headers.dlqGroup]: grave.groupId,
    },
  };
}

/** The record as it was before it became a dead letter. */
export function exhumed(message: KafkaMessage): RawRecord {
  const original = Object.entries(plainHeaders(message)).filter(([name]) => !name.startsWith('dlq-'));
  return { key: message.key ?? randomUUID(), value: message.value, headers: Object.fromEntries(original) };
}

/** What people are shown of a dead letter. */
export interface DeadLetter {
  /** In the dead-letter topic. */
  offset: string;
  buriedAtMs: number;
  reason: string;
  groupId: string;
  eventType: string;
  requestId: string;
  /** Where the original was. */
  origin: { partition: string; offset: string };
}

export function buried(message: KafkaMessage): DeadLetter {
  const plain = plainHeaders(message);
  const text = (name: string) => String(plain[name] ?? '');
  return {
    offset: message.offset,
    buriedAtMs: Number(message.timestamp),
    reason: text(headers.dlqReason),
    groupId: text(headers.dlqGroup),
    eventType: text(headers.type),
    requestId: text(headers.requestId),
    origin: { partition: text(headers.dlqPartition), offset: text(headers.dlqOffset) },
  };
}

function plainHeaders(message: KafkaMessage): Record<string, string | Buffer> {
  const plain: Record<string, string | Buffer> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) plain[name] = first;
  }
  return plain;
}
