import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kafkaAccess } from '../../../../deploy/access/src/kafka/table.ts';
import { missing, run } from './promtool.ts';
import { observability } from './rule-files.ts';

/** Every topic of every group that the rights in Kafka allow. A service can join no other group. */
const groups = Object.entries(kafkaAccess).flatMap(([service, { consumes }]) =>
  consumes.map(({ topic, group, perInstance }) => ({
    service,
    topic,
    group: perInstance ? `${group}${service}-0.1a2b3c4d` : group,
  })),
);

const firing =
  'count by (alertname, group, topic) (ALERTS{alertstate="firing",alertname=~"ConsumerBehind|TestConsumerBehind|UsageNotFresh|RefundsLate"})';
const ofMetering: Readonly<Record<string, string>> = {
  'usage.v1': 'UsageNotFresh',
  'refund-requests.v1': 'RefundsLate',
};
const alertOf = (topic: string) =>
  topic.startsWith('test-') ? 'TestConsumerBehind' : (ofMetering[topic] ?? 'ConsumerBehind');

const title =
  'an alert watches each topic of each consumer group of the product: it fires when the topic stops and another of its group goes on';
it(title, { timeout: 240_000 }, ({ skip }) => {
  skip(missing('promtool') !== undefined, missing('promtool'));
  expect(groups.length).toBeGreaterThan(10);
  expect(groups).toContainEqual({ service: 'keys', group: 'keys', topic: 'key-activity.v1' });
  const folder = mkdtempSync(join(tmpdir(), 'groups-'));
  try {
    const series = groups.flatMap(({ service, group, topic }) => {
      const labels = `service="${service}",group="${group}"`;
      const handled = (of: string) => `kafka_consumed_total{${labels},topic="${of}",outcome="handled"}`;
      return [
        { series: `kafka_consumer_lag{${labels},topic="${topic}"}`, values: '0+0x10 50+0x50' },
        { series: handled(topic), values: '0+60x10 600+0x50' },
        { series: handled('another'), values: '0+6000x60' },
      ];
    });
    const expected = groups.map(({ group, topic }) => {
      const alert = alertOf(topic);
      // The alerts about one topic of metering have no label for it.
      const labels = Object.values(ofMetering).includes(alert) ? '' : `,group="${group}",topic="${topic}"`;
      return { labels: `{alertname="${alert}"${labels}}`, value: 1 };
    });
    const test = {
      interval: '1m',
      // Each group has the other topic once.
      input_series: [...new Map(series.map((each) => [each.series, each])).values()],
      promql_expr_test: [
        { expr: firing, eval_time: '10m', exp_samples: [] },
        { expr: firing, eval_time: '50m', exp_samples: expected },
      ],
    };
    const rule_files = ['every-service', 'metering'].map((name) => join(observability, 'alerts', `${name}.yaml`));
    writeFileSync(join(folder, 'groups.yaml'), stringify({ rule_files, evaluation_interval: '1m', tests: [test] }));
    expect(run('promtool', ['test', 'rules', 'groups.yaml'], folder)).toEqual({ status: 0, output: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
