import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requireSameNodes } from './begun-data.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'begun-data-'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const begin = (...names: string[]) => {
  for (const name of names) mkdirSync(join(stateDir, 'data', name), { recursive: true });
};

it('data of one node are refused by three, and the reverse, with the remedy', () => {
  requireSameNodes({ stateDir, nodes: 3 });
  begin('mongodb', 'kafka', 'redis');
  requireSameNodes({ stateDir });
  expect(() => requireSameNodes({ stateDir, nodes: 3 })).toThrow(
    `The data in ${stateDir} were begun with one node per server; set another SHOPSCOPE_LOCAL_DIR, or run npm run reset.`,
  );
  rmSync(join(stateDir, 'data'), { recursive: true });
  begin('mongodb-1', 'kafka-1', 'redis-1');
  expect(() => requireSameNodes({ stateDir })).toThrow('begun with three nodes per server');
});

it('data of Redis Sentinel are refused by Redis Cluster, and the reverse', () => {
  begin('mongodb-1', 'redis-1', 'redis-2', 'sentinel-1');
  requireSameNodes({ stateDir, nodes: 3 });
  expect(() => requireSameNodes({ stateDir, nodes: 3, redisForm: 'cluster' })).toThrow('begun with Redis Sentinel');
  rmSync(join(stateDir, 'data'), { recursive: true });
  begin('mongodb-1', 'redis-1', 'redis-2', 'redis-3');
  requireSameNodes({ stateDir, nodes: 3, redisForm: 'cluster' });
  expect(() => requireSameNodes({ stateDir, nodes: 3 })).toThrow('begun with Redis Cluster');
});
