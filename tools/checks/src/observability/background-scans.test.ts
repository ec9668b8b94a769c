import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { evaluate } from './promql.ts';

const file = resolve(import.meta.dirname, '../../../../deploy/observability/alerts.yaml');
const rules: { alert: string; expr: string; for?: string }[] = parse(readFileSync(file, 'utf8')).groups.flatMap(
  (group: { rules: unknown[] }) => group.rules,
);

it('refreshes that are overdue for more than a day are one ticket, whichever instance reports them', () => {
  const rule = rules.find(({ alert }) => alert === 'RefreshesOverdue');
  const fired = (...seconds: number[]) =>
    evaluate(rule?.expr ?? '', {
      scan_refresh_overdue_seconds: seconds.map((value, at) => ({
        labels: { service: 'scan-scheduler', instance: String(at) },
        value,
      })),
    });
  // Off, or everything was refreshed in time.
  expect(fired(0, 0)).toEqual([]);
  expect(fired(86_400, 0)).toEqual([]);
  expect(fired(0, 86_401)).toEqual([{ labels: { service: 'scan-scheduler' }, value: 86_401 }]);
});
