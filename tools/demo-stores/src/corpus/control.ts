import type { Scenario } from './scenarios.ts';

/** An error of the demo with a message for users. */
export class DemoCorpusError extends Error {}

export interface DemoStore {
  domain: string;
  platform: string;
  state: string;
}

const controlTimeoutMs = 5_000;

export async function demoStores(url: string): Promise<DemoStore[]> {
  const response = await fetch(`${url}/__control`, { signal: AbortSignal.timeout(controlTimeoutMs) });
  return ((await response.json()) as { stores: DemoStore[] }).stores;
}

/** Makes the changes of today at the demo stores. Repeated: the stores stay as they are. */
export async function applyScenarios(url: string, scenarios: readonly Scenario[]): Promise<void> {
  for (const { domain, today } of scenarios) {
    for (const { verb, body } of today) {
      const signal = AbortSignal.timeout(controlTimeoutMs);
      const change = { method: 'POST', body: JSON.stringify(body), signal };
      const response = await fetch(`${url}/__control/${domain}/${verb}`, change);
      if (!response.ok) throw new DemoCorpusError(`${domain} could not be changed: ${await response.text()}`);
    }
  }
}
