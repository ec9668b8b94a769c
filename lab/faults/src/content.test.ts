import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { productOf } from './content.ts';

it('the content hash changes with the product and the bench, but not with tests, documentation, the checker or the detection package', () => {
  const root = mkdtempSync(join(tmpdir(), 'content-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args]);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'x');
    return productOf(root)?.product;
  };
  git('init', '-q');
  write('services/keys/src/main.ts', '1');
  write('services/keys/test/a.test.ts', '1');
  const first = commit();
  expect(first).toMatch(/^[0-9a-f]{8}$/);
  const excluded = [
    'services/keys/test/a.test.ts',
    'services/keys/src/b.test.ts',
    'libs/ids/README.md',
    'libs/fingerprint/src/data/inventory.rules.json',
    'services/gateway/src/endpoints/technologies/categories.ts',
    'lab/faults/src/checker/resumption.ts',
  ];
  for (const path of excluded) {
    write(path, '2');
    expect(productOf(root)?.product).toBe(first);
    expect(commit()).toBe(first);
  }
  write('services/keys/src/main.ts', '2');
  expect(productOf(root)).toBeUndefined();
  const second = commit();
  expect(second).not.toBe(first);
  write('lab/faults/src/faults/new.ts', '1');
  expect(productOf(root)).toBeUndefined();
});
