import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withDataPasswords } from './data-servers.ts';
import { readSettings } from './settings.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'data-servers-'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const settings = (secured: boolean) =>
  readSettings({ SHOPSCOPE_LOCAL_DIR: stateDir, SHOPSCOPE_SECURED: String(secured) }, []);
const fresh = { pepper: 'pepper', cursorSecret: 'cursor', sessionSecret: 'session', webhookSecret: 'w' };

it('secured servers have a password for every principal, the same at each start', () => {
  const first = withDataPasswords(settings(true), fresh);
  expect(new Set(Object.values(first.dataPasswords ?? {})).size).toBe(13);
  mkdirSync(join(stateDir, 'data'));
  expect(withDataPasswords(settings(true), first)).toEqual(first);
  expect(withDataPasswords(settings(false), fresh)).toEqual(fresh);
});

it('data of servers of the other kind (secured or not) are refused with the remedy', () => {
  const secured = withDataPasswords(settings(true), fresh);
  mkdirSync(join(stateDir, 'data'));
  expect(() => withDataPasswords(settings(false), secured)).toThrow(
    /begun with SHOPSCOPE_SECURED.*SHOPSCOPE_LOCAL_DIR/,
  );
  expect(() => withDataPasswords(settings(true), fresh)).toThrow(/begun without SHOPSCOPE_SECURED/);
});
