import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { syncClientOf } from './sync-client.ts';

const read = (name: string) => readFileSync(new URL(`../src/shopscope/${name}`, import.meta.url), 'utf8');
const asynchronous = read('_async_client.py');

describe('the synchronous Python client', () => {
  it('is the one that the asynchronous client generates', () => {
    expect(read('_client.py')).toBe(syncClientOf(asynchronous));
  });

  it('has nothing of asyncio', () => {
    expect(syncClientOf(asynchronous)).not.toMatch(/asyncio|\basync\b|\bawait\b|\bAsync|\ba(?:close|enter|exit)\b/);
  });

  it('is not generated from a client that lacks a text which differs', () => {
    const other = asynchronous.replaceAll('AsyncDriver', 'Driver');
    expect(() => syncClientOf(other)).toThrow('the asynchronous client has no "AsyncDriver"');
  });
});
