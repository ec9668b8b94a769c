import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { rules } from '../rules/index.ts';
import type { Pattern } from './rule.ts';
import { longestText, nativeForm, RuleRegex } from './rule-regex.ts';

const pattern = (regex: string, caseSensitive = false): Pattern => ({
  channel: 'html',
  key: '',
  regex,
  caseSensitive,
  version: '',
  weight: 100,
});

describe('an expression of a rule in the syntax of V8', () => {
  it.each([
    ['plain\\.js', { source: 'plain\\.js', ways: 1, loops: 0 }],
    ['a.b\\s\\S[^\\s"]', { source: 'a[^\\n]b[\\t\\n\\f\\r ][^\\t\\n\\f\\r ][^\\t\\n\\f\\r "]', ways: 1, loops: 0 }],
    ['a?b{0,4}?c{3}', { source: 'a?b{0,4}?c{3}', ways: 10, loops: 0 }],
    ['a+b*?c{2,}', { source: 'a+b*?c{2,}', ways: 1, loops: 3 }],
    ['(?:a|b|(c|d)?)e|f', { source: '(?:a|b|(c|d)?)e|f', ways: 24, loops: 0 }],
  ])('%s has a bound for its ways', (regex, form) => {
    expect(nativeForm(regex)).toEqual(form);
  });

  it.each(['(?:a|b)*', '(a+)+', '(?:a?){0,4}', '(?i)a', '(?P<name>a)', '\\pL', '[[:alpha:]]', '[]a]', '\\Aa', '[a'])(
    '%s is left to RE2JS',
    (regex) => {
      expect(nativeForm(regex)).toBeUndefined();
    },
  );

  it('runs on shorter texts the more ways and loops it has', () => {
    const chars = (regex: string): number => longestText(nativeForm(regex) ?? { source: '', ways: 0, loops: 0 });
    expect(['a', 'a{0,99}', 'a+', 'a+b+', 'a+b+c+'].map(chars)).toEqual([400_000, 4000, 894, 133, 55]);
  });
});

describe('the expressions of all rules', () => {
  const texts = (regex: string): string[] => {
    const plain = regex.replace(/\\s/g, ' ').replace(/\\d/g, '7').replace(/\\b/g, '');
    const written = plain.replace(/\\(.)/g, '$1').replace(/[()^$+*?|]|\{\d+,?\d*\}|\?:/g, '');
    return [written, ` ${written}.7.77\u00a0`, written.toUpperCase(), `${written}\n"${written}`];
  };
  const all = rules.flatMap(({ patterns }) => patterns).filter(({ regex }) => regex !== '');

  it('find the same in both engines', () => {
    for (const one of all) {
      const linear = RE2JS.compile(one.regex, one.caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
      const regex = new RuleRegex(one);
      for (const text of texts(one.regex)) {
        const expected: (string | null)[][] = [];
        for (const matcher = linear.matcher(text); matcher.find(); )
          expected.push(Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group)));
        const found = [...regex.matches(text)].map(({ groups }) => Array.from(groups, (group) => group ?? null));
        expect([one.regex, text, regex.test(text), found]).toEqual([one.regex, text, expected.length > 0, expected]);
      }
    }
  });
});

it.each(['a+b', '(?:a|b)+c'])('%s states the places of its groups', (source) => {
  const [match] = new RuleRegex(pattern(`x(${source})`)).matches('--xaabc');
  expect([match?.start, match?.startOf(1)]).toEqual([2, 3]);
});
