import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@shopscope/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createGrowthDetector, type ResourceSnapshot, resourceSnapshot } from './resource-usage.ts';
import type { FaultSystem } from './system.ts';

const at = (pid: number, residentMiB: number, descriptors = 20): ResourceSnapshot =>
  new Map([[pid, { name: 'keys-1', residentMiB, descriptors }]]);

function growthOf(...moments: ResourceSnapshot[]) {
  const detector = createGrowthDetector();
  for (const moment of moments) detector.note(moment);
  return { compared: detector.compared(), growth: detector.growth().length };
}

it('growth of a process is measured from the first half of its snapshots to its last, so filled pools do not count', () => {
  expect(growthOf(at(1, 100), at(1, 230, 90), at(1, 240), at(1, 250, 100))).toEqual({ compared: 1, growth: 0 });
  expect(growthOf(at(1, 100), at(1, 200), at(1, 300), at(1, 400))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 100), at(1, 150), at(1, 130, 30))).toEqual({ compared: 1, growth: 0 });
  expect(growthOf(at(1, 100), at(1, 150), at(1, 230))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 100), at(1, 100, 90))).toEqual({ compared: 1, growth: 1 });
});

it('a small replacement does not hide the growth of a killed process, and a process in one snapshot is not compared', () => {
  expect(growthOf(at(1, 100), at(1, 300), at(2, 100))).toEqual({ compared: 1, growth: 1 });
  expect(growthOf(at(1, 300), at(2, 100), at(3, 400))).toEqual({ compared: 0, growth: 0 });
});

it('data files of MongoDB and Kafka count as no open files, because they are opened when they are first used', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'usage-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const descriptorsWith = async (...names: string[]) => {
    const files = names.map((name) => openSync(join(directory, name), 'w'));
    const child = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', ...files] });
    onTestFinished(() => void child.kill());
    for (const file of files) closeSync(file);
    // Its loader has files open until then.
    await waitUntil('the child to sleep', () => / S /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8')));
    const nodes = new Map([['mongodb', { pid: child.pid }]]) as unknown as FaultSystem['nodes'];
    return resourceSnapshot({ nodes }).get(child.pid ?? 0)?.descriptors ?? 0;
  };
  const before = await descriptorsWith();
  expect(await descriptorsWith('index-1.wt', '00000000000000000012.log')).toBe(before);
  expect(await descriptorsWith('index-1.wt', 'kafka.log', 'b.log')).toBe(before + 2);
});
