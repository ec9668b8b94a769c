import { expect, it } from 'vitest';
import { checkMcpNeighbour, mcpBeside } from './neighbour.ts';
import type { McpMessage } from './timeline.ts';

const windows = [
  { startMs: 0, endMs: 30_000, isActive: false },
  { startMs: 30_000, endMs: 60_000, isActive: true },
];

/** A message every 100 ms. */
const messages = (
  tookMs: (startMs: number) => number,
  isAnswered: (startMs: number) => boolean = () => true,
): McpMessage[] =>
  Array.from({ length: 600 }, (_, n) => ({
    startMs: n * 100,
    endMs: n * 100 + tookMs(n * 100),
    isAnswered: isAnswered(n * 100),
  }));
const isActive = (startMs: number) => startMs >= 30_000;

it('messages over MCP are compared without the neighbour and beside it', () => {
  expect(
    mcpBeside(
      messages((startMs) => (isActive(startMs) ? 30 : 20)),
      windows,
    ),
  ).toEqual({
    alone: { messages: 280, failed: 0, p95Ms: 20 },
    beside: { messages: 300, failed: 0, p95Ms: 30 },
  });
});

it('a neighbour that more than doubles the p95 of MCP is reported, and one that does not is not', () => {
  const beside = (tookMs: number) =>
    checkMcpNeighbour(
      messages((startMs) => (isActive(startMs) ? tookMs : 20)),
      windows,
    );
  expect(beside(41)).toEqual(['the p95 of MCP was 20 ms without the neighbour and 41 ms beside it']);
  expect(beside(40)).toEqual([]);
});

it('a message over MCP that is not answered is reported, also among few', () => {
  const failing = messages(
    () => 20,
    (startMs) => startMs !== 31_000,
  );
  const problem = '1 MCP messages of the others were not answered, 1 beside the neighbour';
  expect(checkMcpNeighbour(failing, windows)).toEqual([problem]);
  expect(checkMcpNeighbour(failing.slice(305, 315), windows)).toEqual([problem]);
});

it('too few messages over MCP prove nothing about the p95', () => {
  const few = messages((startMs) => (isActive(startMs) ? 100 : 20)).filter((_, n) => n % 4 === 0);
  expect(checkMcpNeighbour(few, windows)).toEqual([]);
});
