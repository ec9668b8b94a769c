import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('canonical JSON is the same for every order of members and every spacing', () => {
    const a = JSON.parse('{"domains": ["a", "b"],  "refresh": true, "x": {"z": 1, "y": null}}');
    const b = JSON.parse('{"x":{"y":null,"z":1},"refresh":true,"domains":["a","b"]}');
    expect(canonicalJson(a)).toBe(canonicalJson(b));
    expect(canonicalJson(a)).toBe('{"domains":["a","b"],"refresh":true,"x":{"y":null,"z":1}}');
  });

  it('canonical JSON differs for different values', () => {
    const texts = [
      '{"a":["b","c"]}',
      '{"a":["c","b"]}',
      '{"a":"b,c"}',
      '{"a":null}',
      '{}',
      '{"a":1}',
      '{"a":"1"}',
      '{"a":true}',
    ];
    expect(new Set(texts.map((text) => canonicalJson(JSON.parse(text)))).size).toBe(texts.length);
  });
});
