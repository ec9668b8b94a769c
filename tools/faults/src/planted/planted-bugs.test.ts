import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioNamed } from '../faults/index.ts';
import { patchedCopy } from './copy.ts';
import { plantedBugs } from './planted-bugs.ts';

const root = resolve(import.meta.dirname, '../../../..');

it.each(plantedBugs)('the planted bug "$name" still applies and shows under a fault that there is', (bug) => {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  try {
    const patch = join(root, 'tools/faults/planted', bug.patch);
    patchedCopy(root, copy, patch);
    const [, path = ''] = /^\+\+\+ b\/(.+)$/m.exec(readFileSync(patch, 'utf8')) ?? [];
    expect(readFileSync(join(copy, path), 'utf8')).not.toBe(readFileSync(join(root, path), 'utf8'));
    expect(scenarioNamed(bug.scenario).name).toBe(bug.scenario);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
