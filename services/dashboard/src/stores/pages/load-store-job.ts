import type { RouterContextProvider } from 'react-router';
import { contextOf, workspaceVisit } from '../../app/pages/server.ts';
import type { ScanView } from '../operations/stores.ts';

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
