import { parentPort, workerData } from 'node:worker_threads';
import { sleep } from '../../wait.ts';
import { noCounts } from './counts.ts';
import { createGreedyRequests } from './greedy-requests.ts';
import type { NeighbourCommand, NeighbourOptions } from './neighbour.ts';
import { anonymousPerSecond, keyedPerSecond, mcpPerSecond } from './offered-load.ts';

/** The thread of the neighbour. Each kind of request starts at its own fixed rate while the neighbour is active. */
const counts = noCounts();
const requests = createGreedyRequests(workerData as NeighbourOptions, counts);
let round = 0;

const rates: readonly (readonly [number, () => void])[] = [
  [keyedPerSecond.fullBatches, requests.fullBatch],
  [keyedPerSecond.largeInputs, requests.largeInputs],
  [keyedPerSecond.hangUps, requests.hangUp],
  [keyedPerSecond.slowReads, requests.slowRead],
  [mcpPerSecond.pings, requests.mcpPing],
  [mcpPerSecond.slowBodies, requests.mcpSlowBody],
  [anonymousPerSecond.wrongKeys, requests.wrongKey],
  [anonymousPerSecond.malformedKeys, requests.malformedKey],
  [anonymousPerSecond.openBodies, requests.openBody],
];

async function repeat(perSecond: number, send: () => void): Promise<void> {
  const mine = round;
  for (let nextMs = performance.now(); ; nextMs += 1_000 / perSecond) {
    await sleep(nextMs - performance.now());
    if (round !== mine) return;
    send();
  }
}

parentPort?.on('message', (command: NeighbourCommand) => {
  round += 1;
  if (command === 'begin') {
    for (const [perSecond, send] of rates) void repeat(perSecond, send);
    return;
  }
  requests.closeAll();
  counts['neighbour CPU, s'] = cpuSeconds();
  parentPort?.postMessage(counts);
});

function cpuSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}
