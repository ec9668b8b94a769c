import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createWorkspaceTags, listsEntityTag, matchesAny, maxListedTags } from './entity-tag.ts';

describe('If-None-Match', () => {
  it('If-None-Match lists a strong, a weak and one of several tags, and * lists none', () => {
    for (const header of ['"a-1"', 'W/"a-1"', '"x", "a-1"', ' "x" ,W/"a-1" ']) {
      expect(listsEntityTag(header, '"a-1"'), header).toBe(true);
    }
    for (const header of ['"a-2"', 'a-1', '', '"x"', '*', ' * ', '"x", *', 'W/*', '"*"']) {
      expect(listsEntityTag(header, '"a-1"'), header).toBe(false);
    }
    expect(['*', ' * ', '"x", *', '"*"', ''].map(matchesAny)).toEqual([true, true, false, false, false]);
  });

  it('If-None-Match lists at most 32 tags; those behind them do not count', () => {
    const others = (count: number) => Array.from({ length: count }, (_, n) => `"other-${n}"`);
    const list = (count: number) => [...others(count), '"a-1"'].join(', ');
    expect(listsEntityTag(list(maxListedTags - 1), '"a-1"')).toBe(true);
    expect(listsEntityTag(list(maxListedTags), '"a-1"')).toBe(false);
  });
});

describe('entity tags of store bodies', () => {
  const tagOf = createWorkspaceTags('a secret');
  const stored = `"${hash('sha256', 'the body', 'base64url').slice(0, 22)}"`;

  it('the entity tag of a store body is equal on every gateway, and differs between workspaces, bodies and secrets', () => {
    expect(tagOf('ws_1', stored)).toMatch(/^"[\w-]{22}"$/);
    expect(createWorkspaceTags('a secret')('ws_1', stored)).toBe(tagOf('ws_1', stored));
    const others = [tagOf('ws_2', stored), tagOf('ws_1', '"other"'), createWorkspaceTags('another')('ws_1', stored)];
    expect(new Set([tagOf('ws_1', stored), stored, ...others]).size).toBe(5);
  });
});
