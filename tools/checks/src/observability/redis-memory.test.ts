import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { evaluate, type Series } from './promql.ts';

const file = resolve(import.meta.dirname, '../../../../deploy/observability/alerts.yaml');
const rules: { alert: string; expr: string }[] = parse(readFileSync(file, 'utf8')).groups.flatMap(
  (group: { rules: unknown[] }) => group.rules,
);
/** The labels of the alerts of this name that these series fire. */
const fired = (name: string, series: Series) =>
  evaluate(rules.find(({ alert }) => alert === name)?.expr ?? '', series).map(({ labels }) => labels);

const limits = { service: 'gateway', use: 'limits' };
const idempotency = { service: 'gateway', use: 'idempotency' };

/** The series that two gateways report for each connection. */
function reported(connections: { labels: Record<string, string>; used: number; max: number }[]): Series {
  const of = (value: (each: (typeof connections)[number]) => number) =>
    connections.flatMap((each) =>
      ['a', 'b'].map((instance) => ({ labels: { ...each.labels, instance }, value: value(each) })),
    );
  return {
    redis_memory_used_bytes: of(({ used }) => used),
    redis_memory_max_bytes: of(({ max }) => max),
    redis_available: of(() => 1),
  };
}

it('a Redis above three quarters of its memory fires a ticket, and above nine tenths a page, once per connection', () => {
  const at = (used: number) =>
    reported([
      { labels: limits, used: 100, max: 1_000 },
      { labels: idempotency, used, max: 1_000 },
    ]);
  expect([fired('RedisMemoryHigh', at(749)), fired('RedisMemoryFull', at(749))]).toEqual([[], []]);
  expect([fired('RedisMemoryHigh', at(751)), fired('RedisMemoryFull', at(751))]).toEqual([[idempotency], []]);
  expect(fired('RedisMemoryFull', at(901))).toEqual([idempotency]);
  expect(fired('RedisMemoryUnlimited', at(1_000))).toEqual([]);
});

it('a Redis without maxmemory fires only the alert about the missing limit, and only while it responds', () => {
  const series = reported([{ labels: limits, used: 10_000, max: 0 }]);
  expect([fired('RedisMemoryHigh', series), fired('RedisMemoryFull', series)]).toEqual([[], []]);
  expect(fired('RedisMemoryUnlimited', series)).toEqual([limits]);
  const silent = { ...series, redis_available: [{ labels: { ...limits, instance: 'a' }, value: 0 }] };
  expect(fired('RedisMemoryUnlimited', silent)).toEqual([]);
});
