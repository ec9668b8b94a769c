import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioNamed } from '../faults/index.ts';
import { patchedCopy } from './copy.ts';
import { mutants } from './mutants.ts';

const root = resolve(import.meta.dirname, '../../../..');

it.each(mutants)(
  'the patch of the mutant "$name" applies to the present sources, and its scenario exists',
  (mutant) => {
    const copy = mkdtempSync(join(tmpdir(), 'mutant-'));
    try {
      const patch = join(root, 'tools/faults/mutants', mutant.patch);
      patchedCopy(root, copy, patch);
      const [, path = ''] = /^\+\+\+ b\/(.+)$/m.exec(readFileSync(patch, 'utf8')) ?? [];
      expect(readFileSync(join(copy, path), 'utf8')).not.toBe(readFileSync(join(root, path), 'utf8'));
      expect(scenarioNamed(mutant.scenario).name).toBe(mutant.scenario);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
);
