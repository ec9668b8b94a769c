import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const guidesFolder = resolve(import.meta.dirname, '../../../docs/guides');

export const languages = ['sh', 'ts', 'python'] as const;
export type Language = (typeof languages)[number];

/** Output that a guide shows after a sample. */
export interface Output {
  language: 'json' | 'http';
  text: string;
  /** The text before it says that members are left out. */
  isShortened: boolean;
}

/** Consecutive blocks of code that do the same in several languages. */
export interface Sample {
  slug: string;
  heading: string;
  /** Of its first block, from 1. */
  line: number;
  code: Partial<Record<Language, string>>;
  outputs: Output[];
}

export interface Guide {
  slug: string;
  /** The members of the front matter. */
  matter: Record<string, string>;
  /** The Markdown after the front matter. */
  body: string;
  /** As GitHub makes them. */
  anchors: string[];
  samples: Sample[];
  /** Blocks that neither run nor are output of a sample, by their language. */
  otherBlocks: { language: string; text: string }[];
}

const isLanguage = (text: string): text is Language => languages.includes(text as Language);

export function readGuides(): Guide[] {
  return readdirSync(guidesFolder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => parseGuide(name.slice(0, -'.md'.length), readFileSync(join(guidesFolder, name), 'utf8')));
}

export function parseGuide(slug: string, text: string): Guide {
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const matter = Object.fromEntries(
    front.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const bodyLine = text.slice(0, text.length - body.length).split('\n').length;
  return { slug, matter, body, anchors: anchorsOf(body), ...blocksOf(slug, body, bodyLine) };
}

function blocksOf(slug: string, body: string, bodyLine: number): Pick<Guide, 'samples' | 'otherBlocks'> {
  const samples: Sample[] = [];
  const otherBlocks: Guide['otherBlocks'] = [];
  let heading = '';
  let end = 0;
  for (const block of body.matchAll(/^```(\S*)[^\n]*\n(.*?)^```$/gms)) {
    const [whole, language = '', text = ''] = block;
    const before = body.slice(end, block.index);
    const headings = [...before.matchAll(/^#+ (.*)$/gm)];
    heading = headings.at(-1)?.[1] ?? heading;
    const sample = headings.length === 0 ? samples.at(-1) : undefined;
    if (isLanguage(language)) {
      const isSame = sample && before.trim() === '' && sample.outputs.length === 0 && !(language in sample.code);
      if (isSame) sample.code[language] = text;
      else {
        const line = bodyLine + body.slice(0, block.index).split('\n').length - 1;
        samples.push({ slug, heading, line, code: { [language]: text }, outputs: [] });
      }
    } else if (sample && (language === 'json' || language === 'http')) {
      sample.outputs.push({ language, text, isShortened: /shortened/.test(before.trim().split('\n\n').at(-1) ?? '') });
    } else {
      otherBlocks.push({ language, text });
    }
    end = block.index + whole.length;
  }
  return { samples, otherBlocks };
}

/** The anchors of the headings of a Markdown text, outside of code. */
export function anchorsOf(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The part of a guide below the heading with this anchor, up to the next heading. */
export function sectionOf(guide: Guide, anchor: string): string {
  const parts = guide.body.split(/^(?=#+ )/m);
  return parts.find((part) => anchorsOf(part)[0] === anchor) ?? '';
}
