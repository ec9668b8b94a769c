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
