import type { Clock } from '@shopscope/clock';
import type { Counter, Logger } from '@shopscope/telemetry';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Received, Subscription } from '../event-type.ts';
import type { Positions } from '../positions.ts';
import type { EventProducer } from '../producer.ts';
import type { DeliveryCounts } from './delivery-counts.ts';

/** What the steps of the chain use. */
export interface StepDependencies {
  groupId: string;
  /** Publishes the dead letters. */
  producer: EventProducer;
  /** The positions of a group that keeps them in memory. */
  positions: Pick<Positions, 'inMemory'>;
  deliveries: DeliveryCounts;
  /** `kafka_consumed_total` */
  outcomes: Counter<'group' | 'topic' | 'outcome'>;
  logger: Logger;
  clock: Clock;
  /** Called after each attempt of the handler, whether it succeeded or failed, and after each commit. */
  onProgress(topic: string, partition: number): void;
}

/** A batch as kafkajs fetched it, of any size. */
export type FetchedBatch = Pick<
  EachBatchPayload,
  'isRunning' | 'isStale' | 'resolveOffset' | 'commitOffsetsIfNecessary' | 'heartbeat'
> & { batch: Pick<EachBatchPayload['batch'], 'topic' | 'partition' | 'messages'> };

/** A bounded part of a fetched batch. All its messages are of one partition. */
export interface Batch {
  // biome-ignore lint/suspicious/noExplicitAny: the batches belong to subscriptions of different events
  subscription: Subscription<any>;
  /** The topic's name without the prefix. */
  topic: string;
  partition: number;
  messages: readonly KafkaMessage[];
  /** Returns false once the consumer stops. Then no further attempt starts. */
  isRunning(): boolean;
}

export interface DecodedEvent {
  message: KafkaMessage;
  received: Received<unknown>;
}

/** A message that becomes a dead letter. */
export interface RejectedMessage {
  message: KafkaMessage;
  reason: string;
}

/** What the handler threw. It may have thrown undefined. */
export interface HandlerFailure {
  error: unknown;
}
