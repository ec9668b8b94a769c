import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, pages, proseOf, read, root } from './markdown.ts';

const linksOf = (path: string) =>
  proseOf(read(path)).flatMap((line) =>
    [...line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\((?![a-z]+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([link, target = '', anchor]) => ({ link, path: target === '' ? path : join(dirname(path), target), anchor }),
    ),
  );

describe('Markdown', () => {
  it('Markdown links only to files and headings that exist', () => {
    const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));
    expect(links.length).toBeGreaterThan(500);
    const broken = links.filter(({ path, anchor }) => {
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor);
    });
    expect(broken.map(({ page, link }) => `${page}: ${link}`)).toEqual([]);
  });
});

describe('decisions', () => {
  it('every decision that a file of the repository names has a record', () => {
    const records = readdirSync(join(root, 'docs/decisions')).map((name) => Number.parseInt(name, 10));
    const listed = execFileSync('git', ['grep', '-oE', '\\bdecisions? [0-9]{1,4}\\b'], { cwd: root, encoding: 'utf8' });
    const named = listed.trim().split('\n');
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((mention) => !records.includes(Number(mention.split(' ').at(-1))))).toEqual([]);
  });
});

describe('glossary', () => {
  it('the glossary names for each term a file that exists', () => {
    const [, ...sections] = read('docs/glossary.md').split(/^Folder: /m);
    const named = sections.flatMap((section) => {
      const [, folder = ''] = /^\[([^\]]+)\]/.exec(section) ?? [];
      return [...section.matchAll(/\| `([^`]+)` \|$/gm)].map(([, file = '']) => join(folder, file));
    });
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
