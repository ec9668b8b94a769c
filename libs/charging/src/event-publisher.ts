import type { EventProducer } from '@shopscope/kafka';
import { type ScanRequested, scanRequested, type UsageRecorded, usageRecorded } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

/**
 * The events of charges and scan requests. Each promise resolves when its events are durable. The environment of the origin chooses the
 * topic.
 */
export type EventPublisher = ReturnType<typeof createEventPublisher>;

export function createEventPublisher(producer: EventProducer) {
  return {
    publishUsage: (event: UsageRecorded, origin: Origin, timeoutMs: number): Promise<void> =>
      producer.publish(usageRecorded[origin.environment ?? 'live'], event, origin, { timeoutMs }),
    publishScans: (events: readonly ScanRequested[], origin: Origin, timeoutMs: number): Promise<void> =>
      producer.publishMany(scanRequested[origin.environment ?? 'live'], events, origin, { timeoutMs }),
    /** Whether events can be published. False while the circuit breaker of Kafka is open. */
    get available() {
      return producer.available;
    },
  };
}
