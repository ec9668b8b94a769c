import fc from 'fast-check';
import robotsParserModule from 'robots-parser';
import { describe, expect, it, vi } from 'vitest';
import { rulesForRobot } from './robots-group.ts';
import { readRobotsGroup, robotsAllow } from './robots-policy.ts';

const groupOf = (text: string) => readRobotsGroup('https://shop.com/robots.txt', text, 'ShopscopeBot');
const allowsUrl = (text: string, url: string) => robotsAllow(groupOf(text), url);
const allows = (text: string, path: string) => allowsUrl(text, `https://shop.com${path}`);
const repeat = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

describe('rules of a robots.txt', () => {
  it('the rules of a robots.txt are those of all groups that name this robot, in any case and with a version', () => {
    const text = `User-agent: other
User-agent: SHOPSCOPEBOT/2.0
Disallow: /a

User-agent: *
Disallow: /

user-agent: shopscopebot # again
Allow: /a/b
Crawl-delay: 3`;
    expect(rulesForRobot(text, 'ShopscopeBot')).toEqual(['disallow: /a', 'allow: /a/b', 'crawl-delay: 3']);
    expect(allows(text, '/')).toBe(true);
    expect(allows(text, '/a/c')).toBe(false);
    expect(allows(text, '/a/b')).toBe(true);
    expect(groupOf(text).crawlDelayMs).toBe(3_000);
  });

  it('the rules of a robots.txt are those for all robots when no group with a rule names this robot', () => {
    const text =
      'User-agent: ShopscopeBot\n\nUser-agent: *\rDisallow: /x\r\nSitemap: /s.xml\nDisallow: /y\nUser-agent: b\nDisallow: /';
    expect(rulesForRobot(text, 'ShopscopeBot')).toEqual(['disallow: /x', 'disallow: /y']);
    expect(rulesForRobot('User-agent: b\nDisallow: /', 'ShopscopeBot')).toEqual([]);
    expect(rulesForRobot('Disallow: /\nno field\n: /', 'ShopscopeBot')).toEqual([]);
  });

  it('the rules of a robots.txt may be empty: a group that disallows nothing wins over the rules for all robots', () => {
    expect(allows('User-agent: *\nDisallow: /\nUser-agent: ShopscopeBot\nDisallow:', '/')).toBe(true);
  });

  it('the rules of a robots.txt apply although thousands of rules for other robots come before', () => {
    const others = repeat(6_000, (n) => `Disallow: /${n}`);
    expect(allows(`User-agent: other\n${others}\nUser-agent: *\nDisallow: /`, '/')).toBe(false);
  });

  it('the rules of a robots.txt match paths that are not ASCII, encoded or not, and ignore halves of surrogate pairs', () => {
    expect(allows('User-agent: *\nDisallow: /käse', '/k%C3%A4se/1')).toBe(false);
    expect(allows('User-agent: *\nDisallow: /k%c3%a4se', '/käse')).toBe(false);
    expect(allows('User-agent: *\nDisallow: /\ud83d', '/a')).toBe(true);
  });
});

it('the choice of the robots.txt group decides as the parser decides on the whole file', () => {
  const parse = robotsParserModule as unknown as (
    url: string,
    text: string,
  ) => { isAllowed(url: string, robot: string): boolean };
  const path = fc.constantFrom('', '/', '/a', '/a/b', '/*b', '/ä', '/a$', '/%C3%A4', '/a b', ' /a#c');
  const line = fc.oneof(
    fc.constantFrom('*', 'ShopscopeBot', 'shopscopebot/1.0', 'other', '').map((robot) => `User-agent: ${robot}`),
    path.map((rule) => `Disallow: ${rule}`),
    path.map((rule) => `allow:${rule}`),
    fc.constantFrom('Crawl-delay: 2', 'Sitemap: /s', '# none', '', 'Host: x', 'nothing'),
  );
  const file = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r', '\r\n'));
  fc.assert(
    fc.property(file, fc.constantFrom('/', '/a', '/a/b', '/ä', '/c'), ([lines, end], target) => {
      const text = lines.join(end);
      const url = `https://shop.com${target}`;
      const whole = parse('https://shop.com/robots.txt', text).isAllowed(url, 'ShopscopeBot') !== false;
      expect(allowsUrl(text, url)).toBe(whole);
    }),
    { numRuns: 2_000 },
  );
});

describe('cost of a robots.txt', () => {
  const agents = repeat(2_499, (n) => `User-agent: ${n}`);

  it.each([
    ['ASCII', (n: number) => `Disallow: /${n}`],
    ['other', (n: number) => `Disallow: /${'\u6f22'.repeat(10)}${n}`],
  ])('the cost of a robots.txt does not grow with the product of robots and rules, of %s characters', (_, rule) => {
    const text = `${agents}\nUser-agent: ShopscopeBot\n${repeat(2_499, rule)}`;
    expect(allows(text, '/2')).toBe(_ !== 'ASCII');
    // The parser copies each rule to each robot. It gets one robot, because a group has rules only.
    const { rules } = groupOf(text);
    expect(rules).toHaveLength(2_499);
    expect(rules.filter((line) => !line.startsWith('disallow: '))).toEqual([]);
  });

  it('the cost of a robots.txt is bounded at the largest file, whatever it consists of', () => {
    for (const part of [
      '\n',
      ':',
      'a:\n',
      '#',
      'User-agent: *\n',
      'User-agent: *\nAllow: /\u6f22*\n',
      '\ud83d',
      'Allow: /*',
      '\r\n ',
    ]) {
      const text = part.repeat(Math.ceil(524_288 / part.length));
      const encoding = vi.spyOn(globalThis, 'encodeURI');
      allows(text, '/a');
      const calls = encoding.mock.calls.length;
      encoding.mockRestore();
      expect(calls, JSON.stringify(part)).toBeLessThanOrEqual(text.split(/[\r\n]/).length);
      // The parser's time grows with its rules and their length. A character becomes at most nine.
      const { rules } = groupOf(text);
      expect(rules.length, JSON.stringify(part)).toBeLessThanOrEqual(5_000);
      expect(Math.max(0, ...rules.map(({ length }) => length)), JSON.stringify(part)).toBeLessThanOrEqual(9 * 512);
    }
  });
});
