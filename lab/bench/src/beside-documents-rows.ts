import { unlimitedKey } from '@shopscope/local';
import type { LoadResult } from './load.ts';
import { enrichBatches, graphqlBatches, graphqlSelections, lookUps } from './requests.ts';
import { steadyLoad } from './steady-load.ts';
import type { Bench } from './system.ts';
import { type Comparison, compareUnderLoad } from './turns.ts';

/** The goal for the p99 of look-ups beside documents of another workspace, divided by their p99 alone. */
export const besideDocumentsGoal = 1.5;

/** The rate is far below what the API can serve, so that no queue adds to the p99. */
const lookUpsPerSecond = 100;
/** The mean rate that the plan `growth` admits. */
const besidePerSecond = 10;
const connections = 64;

/** Measures look-ups alone, beside batches of another workspace, and beside its documents of the same stores with all their members. */
export async function measureBesideDocuments(bench: Bench): Promise<Comparison<LoadResult>> {
  const { settings, system, secret } = bench;
  const { apiUrl: url, pids } = system;
  const other = await unlimitedKey(system.keysAddress, 'bench-documents');
  const even = (requests: ReturnType<typeof enrichBatches>, perSecond: number, ofSecret: string) => {
    const headers = { authorization: `Bearer ${ofSecret}` };
    const sent = requests.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }));
    return (seconds: number) => steadyLoad({ url, connections, seconds, perSecond, requests: sent, pids });
  };
  const alone = even(lookUps(settings), lookUpsPerSecond, secret);
  const enriches = enrichBatches(settings, {});
  const beside = (name: string, requests: typeof enriches) => {
    const load = even(requests, besidePerSecond, other);
    const measure = async (seconds: number) => {
      const [lookedUp, { failures }] = await Promise.all([alone(seconds), load(seconds)]);
      return { ...lookedUp, failures: lookedUp.failures + failures };
    };
    return { name: `GET store beside ${besidePerSecond} ${name} per second`, measure };
  };
  return compareUnderLoad(bench, 'Look-ups beside documents', [
    { name: 'GET store alone', measure: alone },
    beside('enriches of 100 stores', enriches),
    beside('documents of 100 stores, all members', graphqlBatches(enriches, graphqlSelections['all members'])),
  ]);
}
