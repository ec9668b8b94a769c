import { type Environment, parseEnvironment } from '@shopscope/environment';
import type { KafkaMessage } from 'kafkajs';
import { type EventType, headers, PoisonError, type Received } from './event-type.ts';

/** The timestamp type of a record batch. kafkajs decodes this field but omits it from its types. */
const logAppendTime = 1;

/** Returns the event, or an error with the reason why it cannot be decoded. */
export function decodeEvent<T>(
  type: EventType<T>,
  partition: number,
  message: KafkaMessage,
): Received<T> | PoisonError {
  const name = headerOf(message, headers.type);
  const version = headerOf(message, headers.version);
  if (name !== type.name) return new PoisonError(`unknown event type "${name.slice(0, 100)}"`);
  if (version !== String(type.version)) return new PoisonError(`unknown version "${version.slice(0, 20)}" of ${name}`);
  const sent = headerOf(message, headers.environment);
  const environment = parseEnvironment(sent);
  if (environment === undefined) return new PoisonError(`unknown environment "${sent.slice(0, 20)}" of ${name}`);
  if (message.value === null) return new PoisonError('the record has no value');
  try {
    return new ReceivedRecord(type.decode(message.value), type.topic, partition, environment, message);
  } catch (error) {
    return new PoisonError(`cannot be decoded: ${(error as Error).message}`);
  }
}

/** Computes each property at its first use, because most handlers use only the event. */
class ReceivedRecord<T> implements Received<T> {
  readonly event: T;
  readonly topic: string;
  readonly partition: number;
  readonly #environment: Environment | null;
  readonly #message: KafkaMessage;

  constructor(event: T, topic: string, partition: number, environment: Environment | null, message: KafkaMessage) {
    this.event = event;
    this.topic = topic;
    this.partition = partition;
    this.#environment = environment;
    this.#message = message;
  }

  get meta() {
    return {
      requestId: headerOf(this.#message, headers.requestId),
      traceparent: headerOf(this.#message, headers.traceparent),
      environment: this.#environment,
    };
  }

  get offset() {
    return this.#message.offset;
  }

  get key() {
    return this.#message.key?.toString() ?? '';
  }

  get timestampMs() {
    return Number(this.#message.timestamp);
  }

  get appendedAtMs() {
    return appendTimeOf(this.#message);
  }

  header(name: string) {
    return headerOf(this.#message, name);
  }
}

/** When the broker stored the record. Undefined if publishers set the time of the records in the topic. */
export function appendTimeOf(message: KafkaMessage): number | undefined {
  const { batchContext } = message as { batchContext?: { timestampType?: number } };
  return batchContext?.timestampType === logAppendTime ? Number(message.timestamp) : undefined;
}

export function headerOf(message: KafkaMessage, name: string): string {
  const value = message.headers?.[name];
  return String((Array.isArray(value) ? value[0] : value) ?? '');
}
