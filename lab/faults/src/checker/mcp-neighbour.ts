import { type McpMessage, type NeighbourWindow, percentile, withinWindows } from './timeline.ts';

export interface McpTimes {
  messages: number;
  failed: number;
  p95Ms: number;
}

/** The p95 of fewer messages depends on single ones. */
const fewestMessages = 200;
const maxFactor = 2;

/** Messages of the modest workspace without the neighbour and beside it. */
export function mcpBeside(
  messages: readonly McpMessage[],
  windows: readonly NeighbourWindow[],
): Record<'alone' | 'beside', McpTimes> {
  const timesOf = (isActive: boolean): McpTimes => {
    const sent = withinWindows(messages, windows, isActive);
    const answered = sent.filter(({ isAnswered }) => isAnswered);
    const sorted = answered.map(({ startMs, endMs }) => endMs - startMs).toSorted((a, b) => a - b);
    return { messages: sent.length, failed: sent.length - answered.length, p95Ms: percentile(sorted, 0.95) };
  };
  return { alone: timesOf(false), beside: timesOf(true) };
}

/** Each message is answered, and the neighbour at most doubles the p95. Too few messages prove nothing about the p95. */
export function checkMcpNeighbour(messages: readonly McpMessage[], windows: readonly NeighbourWindow[]): string[] {
  const { alone, beside } = mcpBeside(messages, windows);
  const problems: string[] = [];
  const failed = alone.failed + beside.failed;
  if (failed > 0)
    problems.push(`${failed} MCP messages of the others were not answered, ${beside.failed} beside the neighbour`);
  const isMeasured = Math.min(alone.messages, beside.messages) >= fewestMessages;
  if (isMeasured && beside.p95Ms > maxFactor * alone.p95Ms) {
    const [from, to] = [alone, beside].map(({ p95Ms }) => p95Ms.toFixed(0));
    problems.push(`the p95 of MCP was ${from} ms without the neighbour and ${to} ms beside it`);
  }
  return problems;
}
