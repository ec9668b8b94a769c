import type { Operation } from '../clients/history.ts';
import { attemptsOf, type McpMessage, type NeighbourWindow, ofKinds, percentile, withinWindows } from './timeline.ts';

/** The neighbour may at most double a percentile of the others. */
const maxFactor = 2;
/** The p99 of fewer requests, or the p95 of fewer messages, would depend on single ones. */
const fewestRequests = 1_000;
const fewestMessages = 200;

interface Timed {
  startMs: number;
  endMs: number;
}

/** Applies `of` to the part that began without the neighbour, and to the part that began beside it. */
const compared = <T extends Timed, R>(
  all: readonly T[],
  windows: readonly NeighbourWindow[],
  of: (part: readonly T[]) => R,
) => ({ alone: of(withinWindows(all, windows, false)), beside: of(withinWindows(all, windows, true)) });

/** Returns the durations in ms, the shortest first. */
const durations = (part: readonly Timed[]) =>
  part.map(({ startMs, endMs }) => endMs - startMs).toSorted((a, b) => a - b);

function checkDoubled(what: string, aloneMs: number, besideMs: number): string[] {
  if (besideMs <= maxFactor * aloneMs) return [];
  return [`the ${what} was ${aloneMs.toFixed(0)} ms without the neighbour and ${besideMs.toFixed(0)} ms beside it`];
}

/**
 * Whether an operation waits only for the system. Others are not compared: a refresh may wait for another request's claim of the same scan,
 * and a look-up of a small allowance for units that are lent.
 */
const isCompared = ofKinds('look-up', 'enrich', 'account', 'crowd');

/** Returns the latencies of the other workspaces' requests without the neighbour and beside it. */
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

/** Checks the p99 of the others. With too few requests it finds no problem. */
export function checkNeighbour(operations: readonly Operation[], windows: readonly NeighbourWindow[]): string[] {
  const latencies = latenciesBeside(operations, windows);
  const { alone, beside } = latencies;
  return areLatenciesMeasured(latencies) ? checkDoubled('p99 of the others', alone.p99Ms, beside.p99Ms) : [];
}

/** Returns the number and the p95 of the modest workspace's messages without the neighbour and beside it. */
export const mcpBeside = (messages: readonly McpMessage[], windows: readonly NeighbourWindow[]) =>
  compared(messages, windows, (sent) => {
    const answered = sent.filter(({ isAnswered }) => isAnswered);
    const failed = sent.length - answered.length;
    return { messages: sent.length, failed, p95Ms: percentile(durations(answered), 0.95) };
  });

/** Checks that each message is answered, and the p95. With too few messages the p95 is not checked. */
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
