import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../../..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The Markdown files of the repository, without those of installed packages and build output. */
export const pages = globSync(['*.md', '{deploy,docs,lab,libs,packages,proto,services,tools}/**/*.md'], {
  cwd: root,
  exclude: (path) => /(?:^|\/)(?:node_modules|dist|gen|\.venv)(?:\/|$)/.test(path),
}).sort();

/** The lines of a page outside of code blocks. */
export function proseOf(text: string): string[] {
  let code = false;
  return text.split('\n').filter((line) => {
    const fence = /^\s*```/.test(line);
    if (fence) code = !code;
    return !code && !fence;
  });
}

/** The anchors of a page, made from its headings as GitHub makes them. */
export function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of proseOf(read(path))) {
    const [, heading] = /^#{1,6} (.+)$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const text = heading
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}
