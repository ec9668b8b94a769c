import type { Offsets } from '@shopscope/kafka';
import { Long } from 'mongodb';

/** Kafka offsets by partition, in the form in which MongoDB documents store them. */
export type OffsetMark = { partition: number; offset: Long }[];

export function toMark(offsets: Offsets): OffsetMark {
  return [...offsets].map(([partition, offset]) => ({ partition, offset: Long.fromBigInt(offset) }));
}

/** The driver returns a 64-bit integer as a number if a number can represent it exactly, and otherwise as a Long. */
export function fromMark(mark: readonly { partition: number; offset: Long | number }[]): Offsets {
  return new Map(mark.map(({ partition, offset }) => [partition, BigInt(offset.toString())]));
}
