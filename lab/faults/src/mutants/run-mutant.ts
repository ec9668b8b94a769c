import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioNamed } from '../faults/index.ts';
import { brokenPromises, type Run, runScenario } from '../run.ts';
import { fillCorpus } from '../system/corpus.ts';
import { startSystem } from '../system/system.ts';
import { patchedCopy } from './copy.ts';
import type { Mutant } from './mutants.ts';

export interface MutantOptions {
  root: string;
  stateDir: string;
  cacheDir: string;
  portBase: number;
  seed: number;
  report(line: string): void;
}

export interface MutantRun {
  isCaught: boolean;
  /** Every broken promise. */
  problems: string[];
  run: Run;
}

/** Runs the mutant's scenario on a patched copy of the checkout. */
export async function runMutant(mutant: Mutant, options: MutantOptions): Promise<MutantRun> {
  const { root, stateDir, cacheDir, portBase, seed, report } = options;
  // The copy is outside the checkout, because git apply inside a repository resolves paths against that repository.
  const copy = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    patchedCopy(root, copy, join(root, 'lab/faults/mutants', mutant.patch));
    rmSync(join(stateDir, 'data'), { recursive: true, force: true });
    const replicas = { gateway: 2, metering: 2, scanner: 2 };
    const system = await startSystem({ root: copy, stateDir, cacheDir, portBase, replicas, withLinks: true, report });
    try {
      const stores = await fillCorpus(system);
      const run = await runScenario({ system, scenario: scenarioNamed(mutant.scenario), seed, stores });
      const isCaught = (run.findings[mutant.breaks] ?? []).length > 0;
      return { isCaught, problems: brokenPromises(run), run };
    } finally {
      await system.stop();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
