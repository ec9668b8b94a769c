import type { Operation } from '../clients/history.ts';
import { attemptsOf, type McpMessage, type NeighbourWindow, ofKinds, percentile, withinWindows } from './timeline.ts';

/** The neighbour at most doubles a percentile of the others. */
const maxFactor = 2;
/** The p99 of fewer requests, and the p95 of fewer messages, depends on single ones. */
const fewestRequests = 1_000;
const fewestMessages = 200;

interface Timed {
  startMs: number;
  endMs: number;
}

/** What `of` says about the part without the neighbour and about that beside it. */
const compared = <T extends Timed, R>(
  all: readonly T[],
  windows: readonly NeighbourWindow[],
  of: (part: readonly T[]) => R,
) => ({ alone: of(withinWindows(all, windows, false)), beside: of(withinWindows(all, windows, true)) });

/** Durations in ms, the shortest first. */
const durations = (part: readonly Timed[]) =>
  part.map(({ startMs, endMs }) => endMs - startMs).toSorted((a, b) => a - b);

function checkDoubled(what: string, aloneMs: number, besideMs: number): string[] {
  if (besideMs <= maxFactor * aloneMs) return [];
  return [`the ${what} was ${aloneMs.toFixed(0)} ms without the neighbour and ${besideMs.toFixed(0)} ms beside it`];
}

/**
 * Requests that wait for nothing but the system. A refresh may wait for another request's claim of the same scan, and a look-up
 * of a small allowance for units that are lent.
 */
const isCompared = ofKinds('look-up', 'enrich', 'account', 'crowd');

/** Latencies of the other workspaces' requests without the neighbour and beside it. */
export const latenciesBeside = (operations: readonly Operation[], windows: readonly NeighbourWindow[]) =>
  compared(
    attemptsOf(operations.filter(isCompared)).filter(({ outcome }) => outcome === 'ok'),
    windows,
    (part) => {
      const sorted = durations(part);
      return { requests: sorted.length, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
    },
  );

export const areLatenciesMeasured = ({ alone, beside }: ReturnType<typeof latenciesBeside>): boolean =>
  Math.min(alone.requests, beside.requests) >= fewestRequests;

/** Too few requests prove nothing. */
export function checkNeighbour(operations: readonly Operation[], windows: readonly NeighbourWindow[]): string[] {
  const latencies = latenciesBeside(operations, windows);
  const { alone, beside } = latencies;
  return areLatenciesMeasured(latencies) ? checkDoubled('p99 of the others', alone.p99Ms, beside.p99Ms) : [];
}

/** Messages of the modest workspace without the neighbour and beside it. */
export const mcpBeside = (messages: readonly McpMessage[], windows: readonly NeighbourWindow[]) =>
  compared(messages, windows, (sent) => {
    const answered = sent.filter(({ isAnswered }) => isAnswered);
    const failed = sent.length - answered.length;
    return { messages: sent.length, failed, p95Ms: percentile(durations(answered), 0.95) };
  });

/** Each message is answered. Too few messages prove nothing about the p95. */
export function checkMcpNeighbour(messages: readonly McpMessage[], windows: readonly NeighbourWindow[]): string[] {
  const { alone, beside } = mcpBeside(messages, windows);
  const failed = alone.failed + beside.failed;
  const isMeasured = Math.min(alone.messages, beside.messages) >= fewestMessages;
  return [
    ...(failed > 0
      ? [`${failed} MCP messages of the others were not answered, ${beside.failed} beside the neighbour`]
      : []),
    ...(isMeasured ? checkDoubled('p95 of MCP', alone.p95Ms, beside.p95Ms) : []),
  ];
}
