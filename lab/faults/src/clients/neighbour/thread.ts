import { parentPort, workerData } from 'node:worker_threads';
import { atRate } from '../../wait.ts';
import { noCounts } from './counts.ts';
import { createGreedyRequests } from './greedy-requests.ts';
import type { NeighbourCommand, NeighbourOptions } from './neighbour.ts';
import { anonymousPerSecond, keyedPerSecond, mcpPerSecond, testPerSecond } from './offered-load.ts';

/** The thread of the neighbour. Each kind of request starts at its own fixed rate while the neighbour is active. */
const counts = noCounts();
const requests = createGreedyRequests(workerData as NeighbourOptions, counts);
let round = 0;

const rates: readonly (readonly [number, () => void])[] = [
  [keyedPerSecond.fullBatches, requests.fullBatch],
  [keyedPerSecond.largeInputs, requests.largeInputs],
  [keyedPerSecond.hangUps, requests.hangUp],
  [keyedPerSecond.slowReads, requests.slowRead],
  [testPerSecond.batches, requests.testBatch],
  [testPerSecond.scans, requests.testScans],
  [testPerSecond.documents, requests.testDocument],
  [testPerSecond.resets, requests.testReset],
  [mcpPerSecond.pings, requests.mcpPing],
  [mcpPerSecond.slowBodies, requests.mcpSlowBody],
  [anonymousPerSecond.wrongKeys, requests.wrongKey],
  [anonymousPerSecond.malformedKeys, requests.malformedKey],
  [anonymousPerSecond.openBodies, requests.openBody],
];

parentPort?.on('message', (command: NeighbourCommand) => {
  round += 1;
  const current = round;
  if (command === 'begin') {
    for (const [perSecond, send] of rates) void atRate(perSecond, () => round !== current, send);
    return;
  }
  requests.closeAll();
  const { user, system } = process.threadCpuUsage();
  counts['neighbour CPU, s'] = (user + system) / 1e6;
  parentPort?.postMessage(counts);
});
