import type { KafkaMessage } from 'kafkajs';
import { type EventType, headers, PoisonError, type Received } from './event-type.ts';

/** The event, or why nobody can read it. */
export function decodeEvent<T>(
  type: EventType<T>,
  partition: number,
  message: KafkaMessage,
): Received<T> | PoisonError {
  const name = header(message, headers.type);
  const version = header(message, headers.version);
  if (name !== type.name) return new PoisonError(`unknown event type "${name.slice(0, 100)}"`);
  if (version !== String(type.version)) return new PoisonError(`unknown version "${version.slice(0, 20)}" of ${name}`);
  if (message.value === null) return new PoisonError('the record has no value');
  try {
    return {
      event: type.decode(message.value),
      meta: { requestId: header(message, headers.requestId), traceparent: header(message, headers.traceparent) },
      topic: type.topic,
      partition,
      offset: message.offset,
      key: message.key?.toString() ?? '',
      timestampMs: Number(message.timestamp),
    };
  } catch (error) {
    return new PoisonError(`cannot be decoded: ${(error as Error).message}`);
  }
}

function header(message: KafkaMessage, name: string): string {
  const value = message.headers?.[name];
  return String((Array.isArray(value) ? value[0] : value) ?? '');
}
