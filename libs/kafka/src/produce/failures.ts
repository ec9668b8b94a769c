import { errorOfCode } from './cluster.ts';

/** What an error code of the broker means for the batch of one partition. */
export interface Refusal {
  /** Every further attempt would fail in the same way. */
  isFinal: boolean;
  /** The leader may have stored the batch. */
  mayBeStored: boolean;
  /** The leader has stored the batch, but too few replicas have it yet. */
  isSlow: boolean;
  /** The broker does not know the producer's id or expects another sequence number. */
  needsProducerId: boolean;
}

const slow = new Set(['REQUEST_TIMED_OUT', 'NOT_ENOUGH_REPLICAS_AFTER_APPEND']);
const stored = new Set(['DUPLICATE_SEQUENCE_NUMBER']);
/**
 * The broker checks these before it stores a batch. It also answers any other code after it has stored one: for example NOT_LEADER if the
 * leadership moves while the replicas fetch the batch.
 */
const refusedBefore = new Set([
  'NOT_ENOUGH_REPLICAS',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_REQUIRED_ACKS',
  'INVALID_TIMESTAMP',
  'INVALID_RECORD',
  'INVALID_REQUEST',
]);
const lostSequence = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]);

/** Returns undefined if the broker has stored the batch, now or at an earlier attempt. */
export function refusalOf(code: number): Refusal | undefined {
  if (code === 0) return undefined;
  const { type, retriable } = errorOfCode(code);
  if (stored.has(type)) return undefined;
  const needsProducerId = lostSequence.has(type);
  return {
    needsProducerId,
    isSlow: slow.has(type),
    isFinal: !retriable && !needsProducerId && type !== 'UNKNOWN',
    mayBeStored: !refusedBefore.has(type) && !needsProducerId,
  };
}
