import { hourMs } from '@shopscope/clock';
import { applyScenarios } from './control.ts';
import { type Corpus, fillCorpus, surveyCorpus } from './corpus.ts';
import type { DemoSystem } from './scans.ts';
import { scenarios } from './scenarios.ts';
import { corpusWorkspaceName, type Keys, putCorpusPlan } from './workspace.ts';

const actor = 'operator:demo corpus';
const keyLifeMs = hourMs;

export interface FillOptions extends Omit<DemoSystem, 'corpusKey'> {
  keys: Keys;
  nowMs(): number;
}

/**
 * Fills the corpus of an installation.
 *
 * - The corpus already shows every scenario -> the changes of today are only applied to the demo stores, which may have lost them.
 * - Killed while it fills -> the next run fills again.
 * - The key for the scans is revoked at the end.
 */
export async function fillOnce({ keys, nowMs, ...system }: FillOptions): Promise<Corpus> {
  const planSlug = await putCorpusPlan(keys, actor);
  const key = { label: 'fill', preset: 'full', scopes: [], actor };
  const { workspace, ...first } = await keys.setUpWorkspace({ name: corpusWorkspaceName, planSlug, ...key });
  const workspaceId = workspace?.id ?? '';
  const another = { workspaceId, ...key, expiresAtMs: nowMs() + keyLifeMs, actorAddress: '', requestToken: '' };
  const made = first.created ? first : await keys.createKey(another);
  try {
    const scanning = { ...system, corpusKey: { workspaceId, secret: made.secret } };
    const found = await surveyCorpus(scanning, {});
    if (scenarios.every(({ domain }) => found.changed[domain])) {
      await applyScenarios(system.demoStoresUrl, scenarios);
      return found;
    }
    return await surveyCorpus(scanning, await fillCorpus(scanning));
  } finally {
    await keys.revokeKey({ workspaceId, keyId: made.key?.id ?? '', actor, actorAddress: '' });
  }
}
