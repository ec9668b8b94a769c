import { DemoCorpusError } from './error.ts';
import type { Change, Scenario } from './scenarios.ts';

const controlTimeoutMs = 5_000;

/** Makes the changes of today at the demo stores. Repeated: the stores stay as they are. */
export async function applyScenarios(url: string, scenarios: readonly Scenario[]): Promise<void> {
  for (const { domain, today } of scenarios) for (const change of today) await applyChange(url, domain, change);
}

async function applyChange(url: string, domain: string, { verb, body }: Change): Promise<void> {
  const response = await fetch(`${url}/__control/${domain}/${verb}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(controlTimeoutMs),
  });
  if (!response.ok) throw new DemoCorpusError(`${domain} could not be changed: ${await response.text()}`);
}
