import { unlimitedKey } from '@shopscope/local';
import type { LoadResult } from './load.ts';
import { enrichBatches, graphqlBatches, graphqlSelections, lookUps } from './requests.ts';
import { steadyLoad } from './steady-load.ts';
import type { Bench } from './system.ts';
import { type Comparison, compareUnderLoad } from './turns.ts';

/** The goal for the p99 of look-ups beside documents of another workspace, divided by their p99 alone. */
export const besideDocumentsGoal = 1.5;

/**
 * The rate is far below what the API can serve, so that no queue adds to the p99. It is no multiple of {@link besidePerSecond}: otherwise
 * each document would be sent together with a look-up, and the look-ups after it would always have the same distance.
 */
const lookUpsPerSecond = 97;
/** The mean rate that the plan `growth` admits. Its included units last for four minutes of it. */
const besidePerSecond = 10;
/** The p99 of fewer look-ups would be that of a few of them. */
const minSeconds = 12;
const connections = 64;

/**
 * Measures look-ups alone, beside look-ups of another workspace, beside its batches, and beside its documents of the same stores with all
 * their members. Alone, no look-up waits for another one. The look-ups of the other workspace show what any other request costs.
 */
export async function measureBesideDocuments(bench: Bench): Promise<Comparison<LoadResult>> {
  const { settings, system, secret, say } = bench;
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
  const seconds = Math.max(settings.seconds, minSeconds);
  return compareUnderLoad({ settings: { ...settings, seconds }, say }, 'Look-ups beside documents', [
    { name: 'GET store alone', measure: alone },
    beside('look-ups', lookUps(settings)),
    beside('enriches of 100 stores', enriches),
    beside('documents of 100 stores, all members', graphqlBatches(enriches, graphqlSelections['all members'])),
  ]);
}
