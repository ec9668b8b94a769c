import type { Offsets } from '@shopscope/kafka';
import { Long } from 'mongodb';

/** Offsets in the form that documents store. */
export type OffsetMark = { partition: number; offset: Long }[];

export function toMark(offsets: Offsets): OffsetMark {
  return [...offsets].map(([partition, offset]) => ({ partition, offset: Long.fromBigInt(offset) }));
}

/** The driver returns 64-bit integers as numbers if they fit. */
export function fromMark(mark: readonly { partition: number; offset: Long | number }[]): Offsets {
  return new Map(mark.map(({ partition, offset }) => [partition, BigInt(offset.toString())]));
}
