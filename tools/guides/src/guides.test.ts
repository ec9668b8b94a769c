import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { errorExplanations, httpStatus, isErrorCode } from '@shopscope/errors';
import { jobErrors, scopes } from '@shopscope/proto';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../packages/cli/src/commands/index.ts';
import { anchorsOf, guideSections } from '../../../services/dashboard/src/documentation/domain/guide.ts';
import { sampleLanguages } from '../../../services/dashboard/src/documentation/domain/request-samples.ts';
import { requestHeaders, responseHeaders } from '../../../services/gateway/src/contract/headers.ts';
import { billingUnits } from '../../../services/gateway/src/endpoints/account/contract.ts';
import { endpoints } from '../../../services/gateway/src/endpoints/endpoints.ts';
import { type Guide, guidesFolder, readGuides, sectionOf } from './guide.ts';

const guides = readGuides();
const guide = (slug: string) => guides.find((candidate) => candidate.slug === slug) as Guide;
const repository = resolve(guidesFolder, '../..');

describe.each(guides)('guide $slug', ({ slug, samples, otherBlocks, source, ...shown }) => {
  test(`the guide ${slug} has a title, a description, an order and a section`, () => {
    expect(shown.title).toMatch(/^\S.{3,60}$/);
    expect(shown.description).toMatch(/^\S.{10,160}$/);
    expect(Number.isSafeInteger(shown.order)).toBe(true);
    expect(Object.keys(guideSections)).toContain(shown.section);
  });

  test(`the guide ${slug} has no heading above the second level`, () => {
    for (const { depth, text } of shown.headings) expect(depth, text).toBeGreaterThan(1);
  });

  test(`the guide ${slug} shows each call in every language`, () => {
    for (const { heading, code } of samples)
      if (code.shell === undefined) expect(Object.keys(code), heading).toEqual(Object.keys(sampleLanguages));
  });

  test(`the guide ${slug} has no code that does not run`, () => {
    for (const { language, text } of otherBlocks) {
      // A json block that follows no sample is a configuration.
      expect(['text', 'json'], text).toContain(language);
      expect(text).not.toMatch(/\bcurl\b|createClient|\bClient\(|\bfetch\(|^\W*npx shopscope/m);
    }
  });

  test(`the guide ${slug} shows valid JSON`, () => {
    const shown = [...otherBlocks, ...samples.flatMap(({ outputs }) => outputs)];
    for (const { language, text } of shown) if (language === 'json') expect(() => JSON.parse(text)).not.toThrow();
  });

  test(`the guide ${slug} has links that lead to a file and a heading`, () => {
    for (const [, target = ''] of source.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(guidesFolder, `${slug}.md`) : join(guidesFolder, path);
      expect(existsSync(file), target).toBe(true);
      expect(relative(repository, file), target).not.toMatch(/^\.\./);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(file, 'utf8')), target).toContain(anchor);
      if (dirname(file) === guidesFolder)
        expect(guides.map((each) => `${each.slug}.md`)).toContain(relative(guidesFolder, file));
    }
  });
});

test('the guides name no command of the command line that does not exist', () => {
  const named = guides.flatMap(({ source }) =>
    [...source.matchAll(/(?:`|npx )shopscope ([a-z]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(Object.keys(commands)).toContain(name);
});

test('no two guides have the same place', () => {
  const places = guides.map(({ order }) => order);
  expect(new Set(places).size).toBe(places.length);
});

test.each(endpoints)('the operation $id is in a guide, and its path or its example too', ({ id, path, method }) => {
  const naming = guides.filter(({ slug, source }) => slug !== 'changelog' && source.includes(`\`${id}\``));
  expect(naming.length).toBeGreaterThan(0);
  expect(
    guides.some(
      ({ source }) => source.includes(`\`${method} ${path}\``) || source.includes(`$SHOPSCOPE_BASE_URL${path}`),
    ),
  ).toBe(true);
});

describe('errors.md', () => {
  const errors = guide('errors');

  test.each(Object.keys(errorExplanations))(
    'errors.md explains %s: status, cause, what was billed, what to do',
    (name) => {
      const section = sectionOf(errors, name);
      for (const part of ['Status', 'Cause', 'Billed', 'What to do'])
        expect(section).toMatch(new RegExp(`^- \\*\\*${part}\\*\\*: \\S`, 'm'));
      if (isErrorCode(name)) expect(section).toContain(`**Status**: ${httpStatus(name)}`);
    },
  );

  test('errors.md has no section of a code that does not exist', () => {
    const known = Object.keys(errorExplanations);
    expect(
      errors.headings
        .map(({ id }) => id)
        .filter((anchor) => /^[a-z]+(_[a-z]+)*$/.test(anchor) && !known.includes(anchor)),
    ).toEqual([]);
  });
});

test.each(scopes)('the guides explain the scope %s', (scope) => {
  expect(sectionOf(guide('authentication'), 'scopes')).toMatch(new RegExp(`^\\| \`${scope}\` \\| .{10,} \\|$`, 'm'));
});

test.each(billingUnits)('the guides explain the unit %s', (unit) => {
  expect(sectionOf(guide('billing'), 'units')).toMatch(new RegExp(`^\\| \`${unit}\` \\| .{10,} \\|$`, 'm'));
});

test.each(Object.keys(responseHeaders))('the guides explain the response header %s', (name) => {
  expect(sectionOf(guide('billing'), 'headers-of-responses')).toMatch(
    new RegExp(`^\\|[^|]*\`${name}\`[^|]*\\| .{5,} \\|$`, 'm'),
  );
});

test.each(Object.keys(requestHeaders))('the guides explain the request header %s', (name) => {
  expect(sectionOf(guide('billing'), 'headers-of-requests')).toMatch(
    new RegExp(`^\\| \`${name}\` \\| .{10,} \\|$`, 'm'),
  );
});

test('the guides list every code of a failed job, with whether to ask again', () => {
  const section = sectionOf(guide('scans-and-jobs'), 'when-a-scan-fails');
  const rowOf = { soon: /^\| soon.*$/m, later: /^\| later.*$/m, no: /^\| not before.*$/m };
  for (const [code, { retry }] of Object.entries(jobErrors))
    expect(rowOf[retry].exec(section)?.[0]).toContain(`\`${code}\``);
  const listed = [...section.matchAll(/^\| .*$/gm)].join().match(/`[a-z_]+`/g) ?? [];
  expect(listed.filter((code) => code !== '`error.code`')).toHaveLength(Object.keys(jobErrors).length);
});
