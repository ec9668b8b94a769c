import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { missing, run } from './promtool.ts';
import { readYaml } from './rule-files.ts';

/** The job of Prometheus of each group of rules that an operator can remove. */
const jobs: Record<string, string> = {
  mongodb: 'mongodb',
  kafka: 'kafka',
  redis: 'redis',
  opensearch: 'opensearch',
  'certificates of data servers': 'certificates',
};
const firing = 'count by (job) (ALERTS{alertstate="firing",alertname="DataServerUnwatched"})';

const title = 'DataServerUnwatched fires for a job that does not exist, unless the group of its server was removed too';
it.for(Object.entries(jobs))(`${title}: %s`, { timeout: 60_000 }, ([removed, job], { skip }) => {
  skip(missing('promtool') !== undefined, missing('promtool'));
  const folder = mkdtempSync(join(tmpdir(), 'data-servers-'));
  try {
    const groups = readYaml('alerts-data-servers.yaml').groups as { name: string }[];
    const input_series = Object.values(jobs)
      .filter((other) => other !== job)
      .map((other) => ({ series: `up{job="${other}",instance="a"}`, values: '1+0x30' }));
    const promtool = (rules: { name: string }[], exp_samples: unknown[]) => {
      const tests = [
        { interval: '1m', input_series, promql_expr_test: [{ expr: firing, eval_time: '20m', exp_samples }] },
      ];
      writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: rules }));
      writeFileSync(
        join(folder, 'tests.yaml'),
        stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }),
      );
      return run('promtool', ['test', 'rules', 'tests.yaml'], folder);
    };
    expect(promtool(groups, [{ labels: `{job="${job}"}`, value: 1 }])).toEqual({ status: 0, output: '' });
    const others = groups.filter(({ name }) => name !== removed);
    expect(others.length).toBe(groups.length - 1);
    expect(promtool(others, [])).toEqual({ status: 0, output: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
