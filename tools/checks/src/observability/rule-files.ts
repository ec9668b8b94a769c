import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export const observability = resolve(import.meta.dirname, '../../../../deploy/observability');

export interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string; service?: string };
  annotations: { summary: string; runbook_url: string };
}

export const readYaml = (name: string) => parse(readFileSync(join(observability, name), 'utf8'));

/** The files of alerting rules that a configuration of Prometheus loads, relative to deploy/observability. */
export const ruleFilesOf = (configuration: string): string[] =>
  (readYaml(configuration).rule_files as string[])
    .flatMap((pattern) => globSync(pattern, { cwd: observability }))
    .sort();

export const rulesOf = (file: string): Rule[] =>
  readYaml(file).groups.flatMap((group: { rules: Rule[] }) => group.rules);

/** Every alerting rule. */
export const rules = ruleFilesOf('prometheus.yaml').flatMap(rulesOf);
