import { consumeBroadcast, type EventConsumer, type Subscription, startEventually } from '@shopscope/kafka';
import { type GatewayAck, gatewayAck, topicsOf } from '@shopscope/proto';
import type { ConsumerParts } from '../../app/inbound/consume-in-group.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

const joinWaitMs = 5_000;

/**
 * Starts the consumer of gateway reports. Every dashboard instance reads all reports.
 *
 * Failure: Kafka is unavailable or the topic differs from its definition -> the call resolves after {@link joinWaitMs}, and the consumer starts in the background. Pages then show
 * that no gateway has reported, and the time from which every gateway refuses a revoked key.
 */
export function consumeGatewayReports(
  { reports }: Dependencies,
  { kafka, producer, clock, onFatal, instanceId }: ConsumerParts & { instanceId: string },
): Promise<EventConsumer> {
  const subscription: Subscription<GatewayAck> = {
    type: gatewayAck,
    async handle(events) {
      for (const { event } of events) reports.receive(event);
    },
  };
  return startEventually({
    kafka,
    topics: topicsOf(gatewayAck),
    requiresTopics: false,
    clock,
    startWaitMs: joinWaitMs,
    start: (abort) =>
      consumeBroadcast(kafka, {
        name: 'dashboard-acks',
        instanceId,
        subscriptions: [subscription],
        producer,
        onFatal,
        abort,
      }),
  });
}
