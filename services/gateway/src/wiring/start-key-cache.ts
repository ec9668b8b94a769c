import { randomUUID } from 'node:crypto';
import { keyTags } from '@shopscope/ids';
import type { EventProducer, Kafka } from '@shopscope/kafka';
import { gatewayAck, keyActivity } from '@shopscope/proto';
import { createAcknowledgements } from '../keys/acknowledge-key-changes.ts';
import { createAuthFailures } from '../keys/auth-failures.ts';
import { createAuthenticateKey } from '../keys/authenticate-key.ts';
import { consumeKeyEvents } from '../keys/consume-key-events.ts';
import { createKeyActivityCounter } from '../keys/key-activity.ts';
import type { KeysClient } from '../keys/keys-client.ts';
import { startKeyActivityReports } from '../keys/report-key-activity.ts';
import { createReportProducer, ensureReportTopics } from '../keys/report-producer.ts';
import type { Context } from './context.ts';

const maxQueuedReports = 5_000;

/** Starts the cache of keys, the consumer of the key events that invalidate them, and the reports about keys. */
export async function startKeyCache(
  { config, clock, logger, resources, metrics }: Context,
  options: { keys: KeysClient; kafka: Kafka; producer: EventProducer; onFatal(error: unknown): void },
) {
  const { keys, kafka, producer, onFatal } = options;
  const { INSTANCE_ID: instanceId, KEY_CACHE_MAX: maxKeys, AUTH_FAILURES_PER_MINUTE: maxPerMinute } = config;
  const authFailures = createAuthFailures({ clock, maxPerMinute });
  const authenticateKey = createAuthenticateKey({
    keys,
    clock,
    authFailures,
    onLookup: (outcome, token) => metrics.keyLookup(token.startsWith(keyTags.test) ? 'test' : 'live', outcome),
    maxKeys,
  });

  const reports = createReportProducer(kafka, { maxQueued: maxQueuedReports });
  resources.onStop('report producer', () => reports.close());
  const onError = (error: unknown) => logger.error({ err: error }, 'a report of this gateway failed');
  const acknowledgements = createAcknowledgements({
    publish: (acks, timeoutMs) => reports.publish(gatewayAck, acks, timeoutMs),
    instanceId,
    clock,
    onReports: (outcome, count) => metrics.reports(gatewayAck.topic, outcome, count),
    onError,
  });
  const activity = createKeyActivityCounter({ clock, onDropped: metrics.activityDropped });
  const activityReports = startKeyActivityReports({
    counter: activity,
    publish: (activities, timeoutMs) => reports.publish(keyActivity, activities, timeoutMs),
    // A restarted container keeps its INSTANCE_ID. The id of the process therefore has a random part.
    processId: `${instanceId}.${randomUUID().slice(0, 8)}`,
    clock,
    onReports: (outcome, count) => metrics.reports(keyActivity.topic, outcome, count),
    onError,
  });
  // This cleanup runs after the cleanup of the HTTP servers, so all requests have ended.
  resources.onStop('reports', () => Promise.all([acknowledgements.stop(), activityReports.stop()]));

  const [keyEvents, reportTopics] = await Promise.all([
    consumeKeyEvents({
      kafka,
      producer,
      instanceId,
      keys: authenticateKey,
      clock,
      onFatal,
      onEvent: metrics.keyEvent,
      acknowledge: acknowledgements.acknowledge,
    }),
    ensureReportTopics({ kafka, clock }),
  ]);
  resources.onStop('key events', () => keyEvents.stop());
  resources.onStop('report topics', () => reportTopics.stop());
  return {
    authenticateKey,
    activity,
    /** Call it when the gateway serves requests. */
    startServing: acknowledgements.startServing,
  };
}
