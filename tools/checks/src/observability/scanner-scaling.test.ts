import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const deploy = resolve(import.meta.dirname, '../../../../deploy');
const read = (path: string) => parse(readFileSync(resolve(deploy, path), 'utf8'));
const autoscaler = read('k8s/base/scanner/hpa.yaml');
const [rule, ...others] = read('observability/prometheus-adapter.yaml').rules.external as {
  seriesQuery: string;
  metricsQuery: string;
}[];

describe('metric that the autoscaler of the scanner follows', () => {
  const metric = autoscaler.spec.metrics[0].external.metric.name as string;

  it('the metric for the autoscaler of the scanner is a metric of scan-scheduler, and the only one', () => {
    expect(autoscaler.spec.metrics).toHaveLength(1);
    const source = resolve(deploy, '../services/scan-scheduler/src/metrics.ts');
    expect(readFileSync(source, 'utf8')).toContain(`'${metric}'`);
  });

  it('the rule of prometheus-adapter serves the metric for the autoscaler as the highest value of all instances', () => {
    expect(others).toEqual([]);
    expect(rule?.seriesQuery.split('{')[0]).toBe(metric);
    const tested = read('observability/tests/scan-scheduler.yaml').tests.flatMap(
      ({ promql_expr_test = [] }: { promql_expr_test?: { expr: string }[] }) => promql_expr_test,
    );
    expect(tested.map(({ expr }: { expr: string }) => expr)).toEqual([rule?.metricsQuery]);
  });
});
