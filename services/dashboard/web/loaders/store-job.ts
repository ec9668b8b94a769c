import type { RouterContextProvider } from 'react-router';
import type { ScanView } from '../../src/operations/stores.ts';
import { contextOf } from '../server.ts';
import { workspaceVisit } from '../workspace-visit.ts';

/** Plain JSON, because the page reads it again every few seconds. */
export interface StoreJob {
  nowMs: number;
  scan: ScanView;
}

export async function readStoreJob(context: Readonly<RouterContextProvider>, jobId: string): Promise<StoreJob> {
  const { stores, usage } = contextOf(context).application;
  return { scan: await stores.scan(workspaceVisit(context), jobId), nowMs: usage.nowMs() };
}

export const hasEnded = ({ scan }: StoreJob): boolean => scan.finishedAtMs !== undefined;
