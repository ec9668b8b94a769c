import { lexer, type Token, type Tokens } from 'marked';
import { textOf } from './inline-text.ts';
import { type SampleLanguage, sampleLanguages } from './request-samples.ts';

/** The parts of the documentation, in order. */
export const guideSections = {
  start: 'Get started',
  use: 'Use the API',
  build: 'Build on it',
  operate: 'Operate',
} as const;

export type Guide = ReturnType<typeof readGuide>;

export interface Heading {
  depth: number;
  text: string;
  /** The anchor, in the form of GitHub. It is unique within the guide. */
  id: string;
}

/** A block of Markdown. Consecutive code blocks in several languages are one sample. `name`: the heading above it. */
export type GuideBlock =
  | { type: 'heading'; heading: Heading; tokens: Token[] }
  | { type: 'sample'; name: string; codes: { language: SampleLanguage; text: string }[] }
  | { type: 'code'; name: string; language: string; text: string }
  | { type: 'token'; token: Token };

const frontMatter = /^---\n([\s\S]*?)\n---\n/;
const comment = /^<!--[\s\S]*-->\s*$/;

/** Throws if the file has no front matter, or if it contains HTML, which pages do not show. */
export function readGuide(slug: string, file: string) {
  const [head = '', lines = ''] = frontMatter.exec(file) ?? [];
  const settings = new Map(lines.split('\n').map((line) => [line.split(':')[0]?.trim(), settingOf(line)]));
  const setting = (name: string) => {
    const value = settings.get(name);
    if (!value) throw new Error(`docs/guides/${slug}.md has no ${name} in its front matter`);
    return value;
  };
  const section = setting('section');
  if (!(section in guideSections)) throw new Error(`docs/guides/${slug}.md: there is no section ${section}`);
  /** The Markdown below the front matter. */
  const source = file.slice(head.length).trim();
  const title = setting('title');
  const blocks = blocksOf(slug, title, lexer(source));
  return {
    slug,
    title,
    source,
    blocks,
    description: setting('description'),
    section: section as keyof typeof guideSections,
    order: Number(setting('order')),
    headings: blocks.flatMap((block) => (block.type === 'heading' ? [block.heading] : [])),
  };
}

/** Guides, by section and order. */
export const inOrder = (guides: readonly Guide[]): Guide[] => {
  const sections = Object.keys(guideSections);
  return guides.toSorted(
    (a, b) =>
      sections.indexOf(a.section) - sections.indexOf(b.section) || a.order - b.order || (a.slug < b.slug ? -1 : 1),
  );
};

/** Returns the anchors of the headings of a Markdown text. */
export function anchorsOf(markdown: string): string[] {
  const ids = new Map<string, number>();
  return lexer(markdown).flatMap((token) =>
    token.type === 'heading' ? [anchorOf(textOf(token.tokens ?? []), ids)] : [],
  );
}

const settingOf = (line: string): string =>
  line
    .slice(line.indexOf(':') + 1)
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2');

const isSampleLanguage = (language: string): language is SampleLanguage => language in sampleLanguages;

function blocksOf(slug: string, title: string, tokens: Token[]): GuideBlock[] {
  const blocks: GuideBlock[] = [];
  const ids = new Map<string, number>();
  let name = title;
  for (const token of tokens) {
    if (token.type === 'space' || (token.type === 'html' && comment.test(token.raw))) continue;
    if (token.type === 'html') throw new Error(`docs/guides/${slug}.md has HTML: ${token.raw.slice(0, 60)}`);
    const last = blocks.at(-1);
    if (token.type === 'heading') {
      const { depth, tokens: inline = [] } = token as Tokens.Heading;
      const text = textOf(inline);
      name = text;
      blocks.push({ type: 'heading', heading: { depth, text, id: anchorOf(text, ids) }, tokens: inline });
    } else if (token.type === 'code') {
      const { text, lang = '' } = token as Tokens.Code;
      const language = lang.split(/\s/)[0] ?? '';
      if (!isSampleLanguage(language)) blocks.push({ type: 'code', name, language, text });
      else if (last?.type === 'sample' && !last.codes.some((code) => code.language === language))
        last.codes.push({ language, text });
      else blocks.push({ type: 'sample', name, codes: [{ language, text }] });
    } else {
      blocks.push({ type: 'token', token });
    }
  }
  return blocks;
}

function anchorOf(text: string, ids: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
