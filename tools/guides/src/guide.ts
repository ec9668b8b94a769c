import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  anchorsOf,
  inOrder,
  readGuide,
  type Guide as ShownGuide,
} from '../../../services/dashboard/src/documentation/domain/guide.ts';
import type { SampleLanguage } from '../../../services/dashboard/src/documentation/domain/request-samples.ts';

export const guidesFolder = resolve(import.meta.dirname, '../../../docs/guides');

/** Output that a guide shows after a sample. */
export interface Output {
  language: 'json' | 'http' | 'text';
  text: string;
  /** Whether the text before it says that members are left out. */
  isShortened: boolean;
}

/** Code that the tests run: the same call in each language, or commands of a shell. */
export interface Sample {
  slug: string;
  heading: string;
  /** The number of the line of its first block. It counts from 1. */
  line: number;
  code: Partial<Record<SampleLanguage | 'shell', string>>;
  outputs: Output[];
}

/** A complete program that receives webhooks: a block of one language without one for curl. */
export interface Receiver {
  slug: string;
  heading: string;
  language: 'ts' | 'python';
  text: string;
}

/** A guide as the dashboard shows it, with what the tests need of it. */
export interface Guide extends ShownGuide {
  samples: Sample[];
  receivers: Receiver[];
  /** Blocks that are neither run nor output of a sample. */
  otherBlocks: { language: string; text: string }[];
}

/** Returns the guides, sorted by section and order. */
export const readGuides = (): Guide[] => {
  const files = readdirSync(guidesFolder).filter((name) => name.endsWith('.md'));
  const texts = new Map(files.map((name) => [name.slice(0, -'.md'.length), readText(name)]));
  const guides = inOrder([...texts].map(([slug, text]) => readGuide(slug, text)));
  return guides.map((guide) => ({ ...guide, ...codeOf(guide, texts.get(guide.slug) as string) }));
};

const readText = (name: string) => readFileSync(join(guidesFolder, name), 'utf8');

function codeOf({ slug, blocks }: ShownGuide, file: string): Pick<Guide, 'samples' | 'receivers' | 'otherBlocks'> {
  const samples: Sample[] = [];
  const receivers: Receiver[] = [];
  const otherBlocks: Guide['otherBlocks'] = [];
  /** The sample whose output may follow. A heading ends this. */
  let sample: Sample | undefined;
  const add = (heading: string, code: Sample['code']) => {
    const [first = ''] = Object.values(code);
    const line = file.slice(0, file.indexOf(`\n${first}\n\`\`\``)).split('\n').length;
    sample = { slug, heading, line, code, outputs: [] };
    samples.push(sample);
  };
  for (const [at, block] of blocks.entries()) {
    if (block.type === 'heading') sample = undefined;
    else if (block.type === 'sample' && isReceiver(block.codes))
      receivers.push({ slug, heading: block.name, ...block.codes[0] });
    else if (block.type === 'sample') {
      add(block.name, Object.fromEntries(block.codes.map(({ language, text }) => [language, text])));
    } else if (block.type === 'code') {
      const { language, text } = block;
      const before = blocks[at - 1];
      if (language === 'shell') add(block.name, { shell: text });
      else if (sample && isOutput(language, sample)) {
        const isShortened = before?.type === 'token' && before.token.raw.includes('shortened');
        sample.outputs.push({ language, text, isShortened });
      } else otherBlocks.push({ language, text });
    }
  }
  return { samples, receivers, otherBlocks };
}

type Codes = Extract<ShownGuide['blocks'][number], { type: 'sample' }>['codes'];
const isReceiver = (codes: Codes): codes is [Pick<Receiver, 'language' | 'text'>] =>
  codes.length === 1 && codes[0]?.language !== 'sh';

const isOutput = (language: string, { code }: Sample): language is Output['language'] =>
  (code.shell === undefined ? ['json', 'http'] : ['json', 'text']).includes(language);

/** Returns the part of a guide from the heading with this anchor to the next heading. */
export function sectionOf(guide: Guide, anchor: string): string {
  const parts = guide.source.split(/^(?=#+ )/m);
  return parts.find((part) => anchorsOf(part)[0] === anchor) ?? '';
}
