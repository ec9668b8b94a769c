import { createKeyedSlots } from '@shopscope/async';
import type { BillableRequest } from '../../keys/caller.ts';
import { accountOf } from '../account/get-account.ts';
import { usageOf } from '../account/get-usage.ts';
import type { Dependencies } from '../dependencies.ts';
import { jobsWithIds } from '../jobs/job-pages.ts';
import { lookUpStores, type Stores } from './store-sources.ts';

/** What the fields of one document read from. Everything is read once: all look-ups are one look-up of many stores. */
export interface Source {
  stores: Promise<Stores>;
  /** The jobs that the document names, by their id. */
  jobs: Promise<ReadonlyMap<string, object>>;
  account(): Promise<object>;
  usage(): Promise<object>;
  /** Runs `read` when fewer than {@link maxPages} pages are being read. */
  inTurn<T>(read: () => Promise<T>): Promise<T>;
  deps: Dependencies;
  request: DocumentRequest;
}

export type DocumentRequest = BillableRequest & { isHead: boolean };

/** A page may examine many rows, so a document does not read all its pages at the same time. */
const maxPages = 4;

export function openSource(
  deps: Dependencies,
  request: DocumentRequest,
  { inputs, jobIds }: { inputs: readonly string[]; jobIds: readonly string[] },
): Source {
  const readJobs = async () => {
    const jobs = jobIds.length === 0 ? [] : await jobsWithIds(deps, request, { ids: [...jobIds] });
    return new Map(jobs.map((job) => [job.id, job]));
  };
  const slots = createKeyedSlots({ max: maxPages });
  return {
    stores: lookUpStores(deps, request, inputs),
    jobs: readJobs(),
    account: once(() => accountOf(deps, request)),
    usage: once(() => usageOf(deps, request)),
    inTurn: (read) => slots.run('pages', read),
    deps,
    request,
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
