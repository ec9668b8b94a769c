import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { missing, run } from './promtool.ts';
import { observability, readYaml, ruleFilesOf, rules } from './rule-files.ts';

interface Expectation {
  alertname: string;
  exp_alerts: { exp_labels: Record<string, string> }[];
}
const testFiles = globSync('tests/*.yaml', { cwd: observability }).sort();
const expectations: Expectation[] = testFiles.flatMap((file) =>
  readYaml(file).tests.flatMap(({ alert_rule_test = [] }: { alert_rule_test?: Expectation[] }) => alert_rule_test),
);

describe('tests of alerting rules', { timeout: 240_000 }, () => {
  it('the tests of alerting rules see each alert fire, and each but the Watchdog silent with healthy series', () => {
    const withAlerts = (fires: boolean) =>
      new Set(
        expectations.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname),
      );
    const names = rules.map(({ alert }) => alert);
    expect(names.length).toBeGreaterThan(90);
    expect(names.filter((name) => !withAlerts(true).has(name))).toEqual([]);
    expect(names.filter((name) => !withAlerts(false).has(name))).toEqual(['Watchdog']);
    expect(expectations.filter(({ alertname }) => !names.includes(alertname))).toEqual([]);
  });

  it.for(testFiles)('promtool sees the expected alerts of %s', (file, { skip }) => {
    skip(missing('promtool') !== undefined, missing('promtool'));
    expect(run('promtool', ['test', 'rules', file], observability)).toEqual({ status: 0, output: '' });
  });
});

describe('configurations of Prometheus and Alertmanager', () => {
  it.for(['prometheus.yaml', 'prometheus-local.yaml'])('promtool accepts %s and its rules', (name, { skip }) => {
    skip(missing('promtool') !== undefined, missing('promtool'));
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    try {
      const configuration = readYaml(name);
      // Debian builds Prometheus without the discovery of Kubernetes.
      for (const job of configuration.scrape_configs) {
        for (const discovery of job.kubernetes_sd_configs ?? []) expect(discovery.role).toMatch(/^(?:pod|node)$/);
        delete job.kubernetes_sd_configs;
        // These files exist in a pod only.
        delete job.authorization;
        delete job.tls_config;
      }
      configuration.rule_files = ruleFilesOf(name).map((file) => join(observability, file));
      writeFileSync(join(folder, name), stringify(configuration));
      expect(run('promtool', ['check', 'config', name], folder)).toEqual({ status: 0, output: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('amtool accepts the example for Alertmanager', ({ skip }) => {
    skip(missing('amtool') !== undefined, missing('amtool'));
    expect(run('amtool', ['check-config', 'alertmanager.yaml'], observability)).toEqual({ status: 0, output: '' });
  });
});
