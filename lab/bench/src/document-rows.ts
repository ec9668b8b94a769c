import { threadsCpuUs } from './cpu.ts';
import { hostileDocuments } from './hostile-documents.ts';
import { sum } from './statistics.ts';
import type { Bench } from './system.ts';

/** The goal of each document, without what its body costs any operation. */
export const documentGoalUs = 5_000;
/** The first documents of a class are not measured, because their code is not compiled yet. */
const warmUps = 30;
const measured = 100;

export interface DocumentRow {
  name: string;
  bytes: number;
  /** The CPU time of the gateway for each request of GraphQL. */
  requestUs: number[];
  /** The mean CPU time of the gateway for the same body at enrich, which also reads, parses and refuses it. */
  bodyUs: number;
}

/**
 * Measures the CPU time of the gateway from a request to its refusal, one after the other. It is the time of all threads of the process, so
 * it includes the key, the limits and the log line of the request, and whatever else the gateway does meanwhile. The same body takes turns
 * at enrich, because JSON of the largest size costs as much there.
 */
export async function measureDocuments({ system, secret }: Bench): Promise<DocumentRow[]> {
  const { gateway } = system.pids;
  if (!gateway) throw new Error('the gateway has no process');
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const refuse = async (path: string, name: string, body: string): Promise<number> => {
    const beforeUs = threadsCpuUs(gateway);
    const response = await fetch(system.apiUrl + path, { method: 'POST', headers, body });
    const text = await response.text();
    const us = threadsCpuUs(gateway) - beforeUs;
    if (response.status !== 400) throw new Error(`${path}, ${name}: ${response.status} ${text.slice(0, 300)}`);
    return us;
  };
  const rows: DocumentRow[] = [];
  for (const [name, body] of Object.entries(hostileDocuments)) {
    const requestUs: number[] = [];
    const bodyUs: number[] = [];
    for (let n = 0; n < warmUps + measured; n++) {
      const us = await refuse('/v1/graphql', name, body);
      const ofBodyUs = await refuse('/v1/stores/enrich', name, body);
      if (n < warmUps) continue;
      requestUs.push(us);
      bodyUs.push(ofBodyUs);
    }
    rows.push({ name, bytes: Buffer.byteLength(body), requestUs, bodyUs: sum(bodyUs) / measured });
  }
  return rows;
}
