/** Whether .dockerignore excludes a path, relative to the root of the build context. */
export type Ignore = (path: string) => boolean;

/** Docker's rules: `*` within a name, `**` across names, a pattern includes subfolders, the last match decides. */
export function readDockerignore(text: string): Ignore {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const kept = line.startsWith('!');
      const pattern = (kept ? line.slice(1) : line).replace(/^\/+|\/+$/g, '');
      return { kept, expression: expressionOf(pattern) };
    });
  return (path) => {
    const last = rules.findLast(({ expression }) => expression.test(path));
    return last !== undefined && !last.kept;
  };
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .split('/')
    .map((part, index, parts) => {
      const last = index === parts.length - 1;
      if (part === '**') return last ? '.*' : '(?:.*/)?';
      const name = part
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '[^/]*')
        .replaceAll('?', '[^/]');
      return last ? name : `${name}/`;
    })
    .join('');
  return new RegExp(`^${source}(?:/|$)`);
}
