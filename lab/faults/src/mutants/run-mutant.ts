import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioNamed } from '../faults/index.ts';
import { runScenario } from '../run.ts';
import { startFilledSystem } from '../system/corpus.ts';
import { formOptions } from '../system/form.ts';
import type { SystemOptions } from '../system/system.ts';
import { patchedCopy } from './copy.ts';
import { type Mutant, patchOf } from './mutants.ts';

type MutantOptions = Pick<SystemOptions, 'root' | 'stateDir' | 'cacheDir' | 'portBase' | 'report'> & { seed: number };

/** Runs the scenario of the mutant on a patched copy of the checkout. */
export async function runMutant(mutant: Mutant, options: MutantOptions) {
  const { root, stateDir, cacheDir, portBase, seed, report } = options;
  // The copy is outside the checkout, because git apply inside a repository resolves paths against that repository.
  const copy = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    patchedCopy(root, copy, patchOf(root, mutant));
    const scenario = scenarioNamed(mutant.scenario);
    const started = { root: copy, stateDir, cacheDir, portBase, report, ...formOptions[scenario.form ?? 'single'] };
    const { system, stores } = await startFilledSystem(started);
    try {
      const run = await runScenario({ system, scenario, seed, stores });
      return { isCaught: (run.findings[mutant.breaks] ?? []).length > 0, run };
    } finally {
      await system.stop();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
