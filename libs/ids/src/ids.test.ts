import { describe, expect, it } from 'vitest';
import { apiKeyDigest, deriveId, newApiKey, newId, newTraceparent, parseApiKey, redactApiKeys } from './index.ts';

describe('ids', () => {
  it('ids sort by the millisecond of their creation', () => {
    const ids = [1, 2, 1_000, 1_700_000_000_000, 1_700_000_000_001].map((ms) => newId('req', ms));
    expect([...ids].sort()).toEqual(ids);
  });

  it('ids of workspaces do not grow with time, so that new workspaces are on all shards', () => {
    const ids = Array.from({ length: 20 }, (_, n) => newId('ws', n));
    expect(ids.toSorted()).not.toEqual(ids);
    expect(new Set(ids.map((id) => id[3])).size).toBeGreaterThan(1);
  });

  it('ids are a prefix and 26 lower-case base32 characters, fresh or derived', () => {
    expect(newId('job')).toMatch(/^job_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(newId('ws')).toMatch(/^ws_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(deriveId('job', 'a', 'b')).toMatch(/^job_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('ids are unique within one millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('req', 5))).size).toBe(10_000);
  });

  it('derived ids are equal only when they are derived from the same parts', () => {
    expect(deriveId('chg', 'ws', 'op', 'key')).toBe(deriveId('chg', 'ws', 'op', 'key'));
    expect(deriveId('chg', 'ab', 'c')).not.toBe(deriveId('chg', 'a', 'bc'));
  });

  it('a new trace has a valid trace context', () => {
    expect(newTraceparent(true)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});

describe('API keys', () => {
  it('API keys are a tag and 40 base62 characters, the first four of them public', () => {
    const key = newApiKey('live');
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{40}$/);
    expect(parseApiKey(key)).toEqual({ environment: 'live', prefix: key.slice(0, 13) });
    expect(parseApiKey(newApiKey('test'))?.environment).toBe('test');
  });

  it('API keys are truncated to their prefix in texts for logs, even when they are truncated already', () => {
    const key = newApiKey('live');
    const test = newApiKey('test');
    const prefix = key.slice(0, 13);
    expect(redactApiKeys(`/v1/stores/${key}?a=${test}`)).toBe(`/v1/stores/${prefix}…?a=${test.slice(0, 13)}…`);
    expect(redactApiKeys(`limit: not "${key.slice(0, 20)}…"`)).toBe(`limit: not "${prefix}……"`);
    expect(redactApiKeys(`${prefix} and svc_other`)).toBe(`${prefix} and svc_other`);
  });

  it('API keys are refused without a look-up when one character is wrong', () => {
    const key = newApiKey('live');
    for (let i = 9; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      expect(parseApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBeUndefined();
    }
    for (const text of ['', 'Bearer', key.slice(1), `${key}0`, key.replace('live', 'test')]) {
      expect(parseApiKey(text)).toBeUndefined();
    }
  });

  it('API keys have a digest of 32 bytes', () => {
    expect(apiKeyDigest(newApiKey('live'))).toHaveLength(32);
  });
});
