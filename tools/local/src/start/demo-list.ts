import { createClient } from '@shopscope/client';
import type { Corpus } from '@shopscope/demo-stores';

export interface DemoList {
  workspaceId: string;
  listId: string;
  jobId: string;
}

export interface DemoListOptions {
  apiUrl: string;
  /** A key with every scope. */
  apiKey: string;
  workspaceId: string;
  corpus: Pick<Corpus, 'domains' | 'unseen'>;
  /** The list and job of an earlier start. */
  made: DemoList | undefined;
}

const maxStores = 30;
const timeoutMs = 30_000;

/**
 * Gives the demo workspace a list of stores and a finished enrichment of it, by the API.
 *
 * - Repeated -> the list and the job of the earlier start stay, as people left them. A new workspace gets its own.
 * - The corpus is empty -> nothing is made.
 * - The job does not end in time -> it continues, and its results come later.
 */
export async function makeDemoList(options: DemoListOptions): Promise<DemoList | undefined> {
  const { apiUrl, apiKey, workspaceId, corpus, made } = options;
  if (made?.workspaceId === workspaceId) return made;
  if (corpus.domains.length === 0) return undefined;
  const client = createClient({ apiKey, baseUrl: apiUrl });
  const list = await client.createList({ name: 'Prospects, spring' });
  await client.addListStores(list.id, { stores: demoStoresOf(corpus).slice(0, maxStores) });
  const job = await client.enrichList(list.id);
  await client.waitForJob(job.id, { timeoutMs }).catch(() => job);
  return { workspaceId, listId: list.id, jobId: job.id };
}

/** The demo stores, each with its id in the programs of the demo workspace. */
export const demoStoresOf = ({ unseen, domains }: Pick<Corpus, 'domains' | 'unseen'>) =>
  [...unseen, ...domains].map((domain, index) => ({ domain, external_id: `crm-${1_001 + index}` }));
