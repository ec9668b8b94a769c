import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kafkaAccess } from '../../../../deploy/access/src/kafka/table.ts';
import { missing, run } from './promtool.ts';
import { observability } from './rule-files.ts';

/** Every group that the rights in Kafka allow. A service can join no other group. */
const groups = Object.entries(kafkaAccess).flatMap(([service, { consumes }]) =>
  [...new Set(consumes.map(({ group, perInstance }) => (perInstance ? `${group}${service}-0.1a2b3c4d` : group)))].map(
    (group) => ({ service, group }),
  ),
);

const firing = 'count by (service) (ALERTS{alertstate="firing",alertname=~"ConsumerBehind|UsageNotFresh|RefundsLate"})';

const title =
  'an alert watches each consumer group of the product: it fires when the group stops and another of its service goes on';
it(title, { timeout: 240_000 }, ({ skip }) => {
  skip(missing('promtool') !== undefined, missing('promtool'));
  expect(groups.length).toBeGreaterThan(10);
  expect(groups).toContainEqual({ service: 'keys', group: 'keys' });
  const folder = mkdtempSync(join(tmpdir(), 'groups-'));
  try {
    const tests = groups.map(({ service, group }) => ({
      name: group,
      interval: '1m',
      input_series: [
        { series: `kafka_consumer_lag{service="${service}",group="${group}"}`, values: '0+0x10 50+0x30' },
        {
          series: `kafka_consumed_total{service="${service}",group="${group}",outcome="handled"}`,
          values: '0+60x10 600+0x30',
        },
        { series: `kafka_consumed_total{service="${service}",group="another",outcome="handled"}`, values: '0+6000x40' },
      ],
      promql_expr_test: [
        { expr: firing, eval_time: '10m', exp_samples: [] },
        { expr: firing, eval_time: '40m', exp_samples: [{ labels: `{service="${service}"}`, value: 1 }] },
      ],
    }));
    const rule_files = ['every-service', 'metering'].map((name) => join(observability, 'alerts', `${name}.yaml`));
    writeFileSync(join(folder, 'groups.yaml'), stringify({ rule_files, evaluation_interval: '1m', tests }));
    expect(run('promtool', ['test', 'rules', 'groups.yaml'], folder)).toEqual({ status: 0, output: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
