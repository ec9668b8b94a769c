import { expect, it } from 'vitest';
import { counterSum } from './service-metrics.ts';

const line = (topic: string, count: number) => `kafka_consumed_total{topic="${topic}",outcome="ok"} ${count}\n`;

it('the sum of a counter includes every series with the label and excludes other labels and names', () => {
  const text = `${line('usage.v1', 3)}kafka_consumed_total{outcome="dead",topic="usage.v1"} 2\n${line('other.v1', 9)}`;
  const longer = `${text}kafka_consumed_total_more{topic="usage.v1"} 7\n`;
  expect(counterSum(longer, 'kafka_consumed_total', 'topic="usage.v1"')).toBe(5);
  expect(counterSum('', 'kafka_consumed_total', 'topic="usage.v1"')).toBe(0);
});
