import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioNamed } from '../faults/index.ts';
import { patchedCopy } from './copy.ts';
import { type Mutant, mutants, patchOf } from './mutants.ts';

const root = resolve(import.meta.dirname, '../../../..');

it.each(mutants)(
  'the patch of the mutant "$name" applies to the present sources, and its scenario exists',
  (mutant) => {
    const check = ['apply', '--check', '--whitespace=nowarn', patchOf(root, mutant)];
    expect(() => execFileSync('git', check, { cwd: root, stdio: 'pipe' })).not.toThrow();
    expect(scenarioNamed(mutant.scenario).name).toBe(mutant.scenario);
  },
);

it('the copy of a mutant has its change, and every service of the copy finds its packages', () => {
  const copy = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    const [mutant] = mutants as [Mutant];
    const patch = patchOf(root, mutant);
    patchedCopy(root, copy, patch);
    const [, path = ''] = /^\+\+\+ b\/(.+)$/m.exec(readFileSync(patch, 'utf8')) ?? [];
    expect(readFileSync(join(copy, path), 'utf8')).not.toBe(readFileSync(join(root, path), 'utf8'));
    expect(globSync('services/*', { cwd: copy }).flatMap((service) => missingPackages(copy, service))).toEqual([]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

function missingPackages(copy: string, service: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(copy, service, 'package.json'), 'utf8'));
  const isFound = (name: string) =>
    [service, '.'].some((folder) => existsSync(join(copy, folder, 'node_modules', name)));
  return Object.keys(dependencies).filter((name) => !isFound(name));
}
