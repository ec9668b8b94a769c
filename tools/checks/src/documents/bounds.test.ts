import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const services = [
  'gateway',
  'profiles',
  'metering',
  'keys',
  'scan-scheduler',
  'scanner',
  'dashboard',
  'subscriptions',
  'webhooks',
  'search',
];

/** Cells of the table in the section about costs. */
function rowsOf(service: string): string[][] {
  const text = readFileSync(join(root, 'services', service, 'README.md'), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith('What one caller may cost\n')) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what '));
  return lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

describe.each(services)('bounds in the README of %s', (service) => {
  it(`the README of ${service} names for each bound on one caller a test that exists`, () => {
    const rows = rowsOf(service);
    expect(rows.length).toBeGreaterThan(5);
    for (const [what = '', bound = '', tests = ''] of rows) {
      expect(bound, what).not.toBe('');
      const named = [...tests.matchAll(/\[([^\]]+)\]\(([^)]+\/(?:[^/)]+\.test|describe-[^/)]+)\.ts)\)/g)];
      expect(named.length, what).toBeGreaterThan(0);
      for (const [, title = '', path = ''] of named) {
        const file = join(root, dirname(`services/${service}/README.md`), path);
        expect([what, path, existsSync(file)]).toEqual([what, path, true]);
        expect([what, title, readFileSync(file, 'utf8').includes(title)]).toEqual([what, title, true]);
      }
    }
  });
});
