import { errorOfCode } from './cluster.ts';

/** What an error code of the broker means for the batch of one partition. */
export interface Refusal {
  /** Every further attempt would fail in the same way. */
  isFinal: boolean;
  /** The leader has stored the batch, but too few replicas have it yet. */
  mayBeStored: boolean;
  /** The broker does not know the producer's id or expects another sequence number. */
  needsProducerId: boolean;
}

const stored = new Set(['DUPLICATE_SEQUENCE_NUMBER']);
const maybeStored = new Set(['REQUEST_TIMED_OUT', 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'UNKNOWN']);
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
    isFinal: !retriable && !needsProducerId && !maybeStored.has(type),
    mayBeStored: maybeStored.has(type),
  };
}
