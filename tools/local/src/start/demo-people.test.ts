import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { withPeople } from './demo-people.ts';

const root = resolve(import.meta.dirname, '../../../..');
const state = { pepper: '', cursorSecret: '', sessionSecret: '', webhookSecret: 'w' };

it('the passwords of the demo people are made once and differ between systems', () => {
  const first = withPeople(state);
  expect(withPeople(first)).toEqual(first);
  expect(withPeople(state).people).not.toEqual(first.people);
  expect(first.people.admin.email).toBe('admin@demo.example');
  for (const { password } of Object.values(first.people)) expect(password.length).toBeGreaterThanOrEqual(12);
});

it('nothing else in the repository can create the demo people, so they exist in local systems only', () => {
  const files = globSync('{services,libs,deploy,tools}/**/*.{ts,tsx,mjs,sh,yaml}', {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'gen', '.local'].includes(String(name).split('/').at(-1) ?? ''),
  });
  expect(files.length).toBeGreaterThan(500);
  const naming = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('@demo.example'));
  expect(naming.filter((file) => !file.startsWith('tools/local/'))).toEqual([]);
});
