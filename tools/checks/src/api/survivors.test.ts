import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { watchProcesses } from './survivors.ts';

describe('processes of a checked system', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  const start = () => {
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)']);
    children.push(child);
    return child;
  };
  const at = ({ pid = 0 }: ChildProcess): [{ pid: number; url: null; admin_url: null }] => [
    { pid, url: null, admin_url: null },
  ];

  it('the processes of a checked system are reported when they have ended, even when a replacement was started', async () => {
    const [gateway, keys] = [start(), start()];
    const own = { pid: process.pid, url: '' };
    const stack = { mongodb: own, kafka: { ...own, brokers: '' }, redis: own, opensearch: own };
    const ended = watchProcesses({ services: { gateway: at(gateway), keys: at(keys) }, stack });
    expect(ended()).toEqual([]);
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
    start();
    expect(ended()).toEqual(['gateway']);
  });
});
