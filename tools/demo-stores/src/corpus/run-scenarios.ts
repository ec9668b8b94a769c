import { DemoCorpusError } from './error.ts';
import { type DemoSystem, scan } from './scans.ts';
import type { Change, Scenario } from './scenarios.ts';

const roundTimeoutMs = 60_000;
const controlTimeoutMs = 5_000;

/**
 * Changes demo stores and scans them again, with one request per round.
 * A scan of a round fails or is not done in time -> the remaining steps are applied without scans, so that the stores
 * reach the final state of their scenarios.
 */
export async function runScenarios(system: DemoSystem, scenarios: readonly Scenario[]): Promise<void> {
  const rounds = Math.max(0, ...scenarios.map(({ steps }) => steps.length));
  let scanning = true;
  for (let round = 0; round < rounds; round++) {
    const due = scenarios.filter(({ steps }) => steps.length > round);
    for (const { domain, steps } of due) {
      for (const change of steps[round] ?? []) await applyChange(system.demoStoresUrl, domain, change);
    }
    if (!scanning) continue;
    const ends = await scan(
      system,
      due.map(({ domain }) => domain),
      roundTimeoutMs,
    );
    const failed = [...ends].filter(([, failure]) => failure !== '');
    for (const [domain, failure] of failed) system.report(`the new scan of ${domain} failed: ${failure}`);
    scanning = failed.length === 0;
  }
}

/** Applies all steps of the scenarios without scans, for demo stores that were restarted without their changes. */
export async function applyScenarios(url: string, scenarios: readonly Scenario[]): Promise<void> {
  for (const { domain, steps } of scenarios) for (const change of steps.flat()) await applyChange(url, domain, change);
}

async function applyChange(url: string, domain: string, { verb, body }: Change): Promise<void> {
  const response = await fetch(`${url}/__control/${domain}/${verb}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(controlTimeoutMs),
  });
  if (!response.ok) throw new DemoCorpusError(`${domain} could not be changed: ${await response.text()}`);
}
