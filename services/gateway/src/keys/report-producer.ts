import { withTimeout } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { createProducer, type EventConsumer, type EventType, type Kafka, startEventually } from '@shopscope/kafka';
import { gatewayAck, keyActivity, requestsCompleted, topicsOf } from '@shopscope/proto';
import { noOrigin } from '@shopscope/telemetry';

const closeMs = 1_000;

/**
 * Publishes reports, for which no request waits. A publication resolves when its events are durable. If it rejects, some of them may
 * be durable.
 *
 * The reports about keys and the request log have one producer each, apart from the producer of usage events:
 * - A producer sends one request at a time. A usage event would wait for a thousand reports.
 * - A topic that refuses reports (no right, no leader) would fail the usage events of the same request.
 * - Failed reports would open the circuit that usage events depend on.
 */
export function createReportProducer(kafka: Kafka, options: { maxQueued: number; lingerMs?: number }) {
  const producer = createProducer(kafka, { bestEffort: true, ...options });
  return {
    /** A report belongs to no request. An event of the request log belongs to many requests. */
    publish: <T>(type: EventType<T>, events: readonly T[], timeoutMs: number): Promise<void> =>
      producer.publishMany(type, events, noOrigin, { timeoutMs }),
    /** Resolves within {@link closeMs}, even if no broker answers. */
    close: () => withTimeout(producer.close(), closeMs, 'no broker answers').catch(() => {}),
  };
}

const topicsWaitMs = 5_000;

/**
 * Prepares the topics of the reports and of the request log (see `ensureTopics`), in the background after {@link topicsWaitMs}. A topic
 * of reports that is missing or refused keeps a gateway neither from its start nor from receiving revocations.
 */
export const ensureReportTopics = (options: { kafka: Kafka; clock: Clock }): Promise<Pick<EventConsumer, 'stop'>> =>
  startEventually({
    ...options,
    topics: topicsOf(gatewayAck, keyActivity, requestsCompleted.live, requestsCompleted.test),
    requiresTopics: false,
    startWaitMs: topicsWaitMs,
  });
