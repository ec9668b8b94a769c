import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioNamed } from '../faults/index.ts';
import { brokenPromises, type Run, runScenario } from '../run.ts';
import { fillCorpus } from '../system/corpus.ts';
import { startSystem } from '../system/system.ts';
import { patchedCopy } from './copy.ts';
import type { PlantedBug } from './planted-bugs.ts';

export interface PlantedOptions {
  root: string;
  stateDir: string;
  cacheDir: string;
  portBase: number;
  seed: number;
  report(line: string): void;
}

export interface PlantedRun {
  isCaught: boolean;
  /** Every promise that broke. */
  problems: string[];
  run: Run;
}

/** Runs the fault under which the bug shows, on a copy that has it. */
export async function runPlanted(bug: PlantedBug, options: PlantedOptions): Promise<PlantedRun> {
  const { root, stateDir, cacheDir, portBase, seed, report } = options;
  // Outside the checkout: git applies patches below a repository to that repository's idea of paths.
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  try {
    patchedCopy(root, copy, join(root, 'tools/faults/planted', bug.patch));
    rmSync(join(stateDir, 'data'), { recursive: true, force: true });
    const replicas = { gateway: 2, metering: 2, scanner: 2 };
    const system = await startSystem({ root: copy, stateDir, cacheDir, portBase, replicas, withLinks: true, report });
    try {
      const stores = await fillCorpus(system);
      const run = await runScenario({ system, scenario: scenarioNamed(bug.scenario), seed, stores });
      const isCaught = (run.findings[bug.breaks] ?? []).length > 0;
      return { isCaught, problems: brokenPromises(run), run };
    } finally {
      await system.stop();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
