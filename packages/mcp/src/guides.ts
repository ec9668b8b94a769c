import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Guide {
  /** The name of its file without the extension. */
  name: string;
  title: string;
  description: string;
  text: string;
}

/** The build copies the guides of the repository beside its output. */
const built = join(import.meta.dirname, 'guides');
const folder = existsSync(built) ? built : join(import.meta.dirname, '../../../docs/guides');

let guides: Promise<Guide[]> | undefined;

/** Resolves to all guides, in the order of the documentation. They are read once. */
export function readGuides(): Promise<Guide[]> {
  guides ??= readFolder(folder);
  return guides;
}

async function readFolder(path: string): Promise<Guide[]> {
  const names = (await readdir(path)).filter((name) => name.endsWith('.md'));
  const read = await Promise.all(
    names.map(async (name) => guideOf(name.slice(0, -'.md'.length), await readFile(join(path, name), 'utf8'))),
  );
  return read.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1)).map(({ order, ...guide }) => guide);
}

/** A file begins with lines of `name: value` between two lines of `---`. */
export function guideOf(name: string, file: string): Guide & { order: number } {
  const [, head = '', text = file] = /^---\n([\s\S]*?)\n---\n+([\s\S]*)$/.exec(file) ?? [];
  const field = (key: string) =>
    new RegExp(`^${key}: *(?:"(.*)"|'(.*)'|(.*))$`, 'm')
      .exec(head)
      ?.slice(1)
      .find((value) => value !== undefined);
  return {
    name,
    title: field('title') ?? name,
    description: field('description') ?? '',
    order: Number(field('order') ?? 0),
    text,
  };
}
