import { withTimeout } from '@shopscope/async';
import { createProducer, type Kafka } from '@shopscope/kafka';
import { type RequestsCompleted, requestsCompleted } from '@shopscope/proto';

/**
 * Publishes the request log. The promise resolves when the events are durable. Its rejection means that some of them may
 * be durable.
 *
 * The request log has a producer of its own: neither usage events, for which requests wait, nor acknowledgements of
 * revocations share a request to Kafka or a circuit breaker with it.
 */
export interface RequestLogProducer {
  publish(events: readonly RequestsCompleted[], timeoutMs: number): Promise<void>;
  /** Resolves within {@link closeMs}, also when no broker answers. */
  close(): Promise<void>;
}

/** Events of two portions, each of another workspace at worst: the request of one whose time limit has passed may still run. */
const maxQueued = 2_000;
const closeMs = 1_000;
/** An event has many requests. */
const noOrigin = { requestId: '', traceparent: '' };

export function createRequestLogProducer(kafka: Kafka): RequestLogProducer {
  const producer = createProducer(kafka, { bestEffort: true, maxQueued, lingerMs: 0 });
  return {
    publish: (events, timeoutMs) => producer.publishMany(requestsCompleted, events, noOrigin, { timeoutMs }),
    close: () => withTimeout(producer.close(), closeMs, 'no broker answers').catch(() => {}),
  };
}
