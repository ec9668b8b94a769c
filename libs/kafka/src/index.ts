/** Publishes events durably, consumes them at least once, and moves events that cannot be handled to dead-letter topics. */
export { type BroadcastOptions, consumeBroadcast } from './broadcast.ts';
export { type ChangeOptions, changeTopics } from './change-topics.ts';
export { type ConsumeOptions, consumeEvents, type EventConsumer } from './consumer.ts';
export type { DeadLetter } from './dead-letters.ts';
export {
  type EncodedEvent,
  type EventMeta,
  type EventType,
  encodeEvent,
  PoisonError,
  type RawRecord,
  type Received,
  type Subscription,
} from './event-type.ts';
export { consumeEventually, type EventualConsumerOptions, startEventually } from './eventual-consumer.ts';
export { addGrants, type Grant, type GrantedOperation } from './grants.ts';
export {
  type BrokerAddress,
  createKafka,
  deadLetterSuffix,
  type Kafka,
  type KafkaOptions,
  type SaslCredentials,
  type TopicDefinition,
} from './kafka.ts';
export {
  createProducer,
  type EventProducer,
  maxEventBytes,
  type ProducerOptions,
  type PublishOptions,
  rejectOversized,
} from './producer.ts';
export { raisePartitions } from './raise-partitions.ts';
export {
  countDeadLetters,
  type DeadLetterCount,
  type DeadLettersOptions,
  type ReplayOptions,
  readDeadLetters,
  replayDeadLetters,
} from './replay.ts';
export { rejectDifferences, type TopicDifference, TopicsDifferError } from './topic-differences.ts';
export { caughtUp, hasPassed, type Offsets, type TopicProgress, topicProgress } from './topic-progress.ts';
