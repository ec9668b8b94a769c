import type { Attempt, Operation } from '../clients/history.ts';
import { attemptsOf, type NeighbourWindow, ofKinds, percentile, withinWindows } from './timeline.ts';

/** Latencies of the other workspaces' requests without the neighbour and beside it. */
export interface NeighbourLatencies {
  alone: Latencies;
  beside: Latencies;
}

export interface Latencies {
  requests: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Requests that wait for nothing but the system. A refresh may wait for another request's claim of the same scan, and a look-up
 * of a small allowance for units that are lent.
 */
const isCompared = ofKinds('look-up', 'enrich', 'account', 'crowd');
/** The p99 of fewer requests depends on single requests. */
const fewestRequests = 1_000;
const maxFactor = 2;

export function latenciesBeside(
  operations: readonly Operation[],
  windows: readonly NeighbourWindow[],
): NeighbourLatencies {
  const attempts = attemptsOf(operations.filter(isCompared)).filter(({ outcome }) => outcome === 'ok');
  const within = (isActive: boolean) => withinWindows(attempts, windows, isActive);
  return { alone: latenciesOf(within(false)), beside: latenciesOf(within(true)) };
}

export const areLatenciesMeasured = ({ alone, beside }: NeighbourLatencies): boolean =>
  Math.min(alone.requests, beside.requests) >= fewestRequests;

/** The neighbour at most doubles the p99 of the others. Too few requests prove nothing. */
export function checkNeighbour(operations: readonly Operation[], windows: readonly NeighbourWindow[]): string[] {
  const latencies = latenciesBeside(operations, windows);
  const { alone, beside } = latencies;
  if (!areLatenciesMeasured(latencies) || beside.p99Ms <= maxFactor * alone.p99Ms) return [];
  const [from, to] = [alone, beside].map(({ p99Ms }) => p99Ms.toFixed(0));
  return [`the p99 of the others was ${from} ms without the neighbour and ${to} ms beside it`];
}

function latenciesOf(attempts: readonly Attempt[]): Latencies {
  const sorted = attempts.map(({ startMs, endMs }) => endMs - startMs).toSorted((a, b) => a - b);
  return { requests: sorted.length, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
