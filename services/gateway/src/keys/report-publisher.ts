import { withTimeout } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { createProducer, type EventConsumer, type Kafka, startEventually } from '@shopscope/kafka';
import {
  type GatewayAck,
  gatewayAck,
  type KeyActivity,
  keyActivity,
  requestsCompleted,
  topics,
} from '@shopscope/proto';

/**
 * Publishes the reports of a gateway: acknowledgements of key changes, and key activity. Each promise resolves when its
 * events are durable. Its rejection means that some of them may be durable.
 *
 * The reports have a producer of their own, because a request waits for its usage event:
 * - A producer sends one request at a time. A usage event would wait for a thousand reports.
 * - A topic that refuses reports (no right, no leader) would fail the usage events of the same request.
 * - Failed reports would open the circuit that usage events depend on.
 */
export interface ReportPublisher {
  publishAcks(acks: readonly GatewayAck[], timeoutMs: number): Promise<void>;
  publishActivity(reports: readonly KeyActivity[], timeoutMs: number): Promise<void>;
  /** Resolves within {@link closeMs}, also when no broker answers. */
  close(): Promise<void>;
}

const maxQueued = 5_000;
const closeMs = 1_000;
/** A report belongs to no request. */
const noOrigin = { requestId: '', traceparent: '' };

export function createReportPublisher(kafka: Kafka): ReportPublisher {
  const producer = createProducer(kafka, { bestEffort: true, maxQueued });
  return {
    publishAcks: (acks, timeoutMs) => producer.publishMany(gatewayAck, acks, noOrigin, { timeoutMs }),
    publishActivity: (reports, timeoutMs) => producer.publishMany(keyActivity, reports, noOrigin, { timeoutMs }),
    close: () => withTimeout(producer.close(), closeMs, 'no broker answers').catch(() => {}),
  };
}

const topicsWaitMs = 5_000;
const names: readonly string[] = [gatewayAck.topic, keyActivity.topic, requestsCompleted.topic];
const reportTopics = topics.filter(({ topic }) => names.includes(topic));

/**
 * Creates the topics of the reports and of the request log, in the background after {@link topicsWaitMs}. The key events do not wait for them: a
 * missing right to a topic of reports would otherwise keep a gateway from hearing of revocations.
 */
export function ensureReportTopics(options: { kafka: Kafka; clock: Clock }): Promise<Pick<EventConsumer, 'stop'>> {
  return startEventually({ ...options, topics: reportTopics, startWaitMs: topicsWaitMs });
}
