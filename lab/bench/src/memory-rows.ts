import { setTimeout as sleep } from 'node:timers/promises';
import { unlimitedKeys } from '@shopscope/local';
import { load } from './load.ts';
import { type MemorySample, memoryAt, residentMemory } from './memory.ts';
import { lookUps, lookUpsInTurn } from './requests.ts';
import type { Bench } from './system.ts';

/** The goal for the memory of a process at the end of the load, divided by its memory at the first time. */
export const memoryGoal = 1.1;

export type MemoryResult = Awaited<ReturnType<typeof measureMemory>>;

const workspaces = 100;
const connections = 128;
const sampleIntervalMs = 1_000;

/** Measures the memory of each process while every connection sends its next look-up after the response. */
export async function measureMemory({ settings, system, say }: Bench) {
  const { memoryFirstSeconds: firstSeconds, memorySeconds: seconds } = settings;
  const secrets = await unlimitedKeys(system.keysAddress, 'bench-growth', workspaces);
  const requests = lookUpsInTurn(lookUps(settings), secrets);
  say(`Memory under ${seconds} s of load …`);
  const samples: MemorySample[] = [];
  const startMs = performance.now();
  const sample = async () => {
    for (;;) {
      const atMs = performance.now() - startMs;
      if (atMs > seconds * 1_000) return;
      samples.push({ atMs, memory: residentMemory(system.pids) });
      await sleep(sampleIntervalMs);
    }
  };
  const to = { url: system.apiUrl, pids: system.pids, connections, headers: {} };
  const [result] = await Promise.all([load({ ...to, seconds, requests }), sample()]);
  const at = (second: number) => memoryAt(samples, second * 1_000);
  return { firstSeconds, seconds, first: at(firstSeconds), last: at(seconds), load: result };
}
