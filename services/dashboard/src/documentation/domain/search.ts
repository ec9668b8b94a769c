import { errorExplanations, httpStatus, isErrorCode } from '@shopscope/errors';
import MiniSearch from 'minisearch';
import { anchorOfField, type Field } from './fields.ts';
import { entryPoint, type GraphqlSchema } from './graphql-schema.ts';
import type { Guide } from './guide.ts';
import type { Family, Operation } from './reference.ts';

export type HitKind = 'guide' | 'operation' | 'field' | 'error' | 'type';

export interface Hit {
  kind: HitKind;
  /** The path and the anchor. */
  href: string;
  title: string;
  /** The name of the page or part that contains it, for example the guide of a section. */
  place: string;
  excerpt: string;
}

interface Entry extends Hit {
  id: number;
  text: string;
  /** Further spellings of the title. */
  names: string;
}

/** Longer questions are cut, so that the time of a search is bounded. */
export const maxQuestion = 100;
const maxWords = 8;
const maxHits = 40;
const maxExcerpt = 180;

export type DocumentationSearch = (question: string) => Hit[];

/** An index of the sections of guides, operations, their fields, error codes, and types of GraphQL. It tolerates typing errors and finds word prefixes. */
export function createSearch(
  guides: readonly Guide[],
  families: readonly Family[],
  { types }: Pick<GraphqlSchema, 'types'>,
): DocumentationSearch {
  const operations = families.flatMap((family) => family.operations);
  const found = [
    ...guides.flatMap(sectionsOf),
    ...operations.map(entryOfOperation),
    ...fieldEntries(operations),
    ...errorEntries(),
    ...types.flatMap(typeEntries),
  ];
  const entries: Entry[] = found.map((entry, id) => ({ ...entry, id, excerpt: shortened(entry.text) }));
  const index = new MiniSearch<Entry>({
    fields: ['title', 'names', 'place', 'text'],
    searchOptions: {
      boost: { title: 4, names: 4, place: 1.5 },
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boostDocument: (id) => kindBoost[entries[id as number]?.kind ?? 'field'],
    },
  });
  index.addAll(entries);
  return (question) => {
    const words = question.slice(0, maxQuestion).trim().split(/\s+/).slice(0, maxWords).join(' ');
    if (words === '') return [];
    const all = index.search(words, { combineWith: 'AND' });
    const ids = all.length > 0 ? all : index.search(words);
    // An error and the section of a guide about it are one result.
    const places = new Map<string, Hit>();
    for (const { id } of ids) {
      const entry = entries[id as number];
      if (!entry || places.size >= maxHits) break;
      const { kind, href, title, place, excerpt } = entry;
      if (!places.has(href)) places.set(href, { kind, href, title, place, excerpt });
    }
    return [...places.values()];
  };
}

const kindBoost: Record<HitKind, number> = { guide: 1.2, operation: 1.5, error: 1.5, field: 0.8, type: 0.6 };

type Draft = Omit<Entry, 'id' | 'excerpt'>;

/** The parts of a guide, each from one heading to the next. */
function sectionsOf({ slug, title, description, blocks }: Guide): Draft[] {
  const sections: Draft[] = [];
  let current: Draft = { kind: 'guide', href: `/docs/${slug}`, title, place: 'Guide', text: description, names: slug };
  for (const block of blocks) {
    if (block.type === 'heading') {
      sections.push(current);
      const { text, id } = block.heading;
      current = { kind: 'guide', href: `/docs/${slug}#${id}`, title: text, place: title, text: '', names: '' };
    } else if (block.type === 'token') {
      current.text += ` ${withoutMarks(block.token.raw)}`;
    } else if (block.type === 'sample') {
      current.text += ` ${block.codes.map(({ text }) => text).join(' ')}`;
    }
  }
  return [...sections, current];
}

const withoutMarks = (markdown: string) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\||-{3,}/g, ' ')
    .replaceAll(/^\s*[-\d.]+ /gm, '');

/** `getStore` is also found as `get store`. */
const inWords = (id: string) => id.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

const entryOfOperation = ({ id, method, path, summary, description, family, isServed }: Operation): Draft => ({
  kind: 'operation',
  href: `/docs/reference/${id}`,
  title: `${method} ${path}`,
  place: `${summary}${isServed ? '' : ' (announced)'}`,
  text: description || summary,
  names: `${id} ${inWords(id)} ${family}`,
});

/** Served operations come first. Among them, those that read come first. */
const rankOf = ({ isServed, method }: Operation): number => Number(isServed) * 2 + Number(method === 'GET');

/** One entry for each member, because the members of a profile are in many responses. */
function fieldEntries(operations: readonly Operation[]): Draft[] {
  const drafts = new Map<string, Draft>();
  const add = (operation: Operation, part: string, fields: readonly Field[]) => {
    for (const field of fields) {
      const { path, description, values, type } = field;
      const meanings = values.map(({ value, meaning }) => `${value} ${meaning}`).join('. ');
      const key = `${path.split('.').slice(-2).join('.')} ${type} ${description} ${meanings}`;
      if (!drafts.has(key)) {
        const href = `/docs/reference/${operation.id}#${anchorOfField(part, path)}`;
        const text = `${type}. ${description} ${meanings}`.trim();
        drafts.set(key, { kind: 'field', href, title: path, place: operation.id, text, names: field.name });
      }
      add(operation, part, field.fields);
    }
  };
  for (const operation of operations.toSorted((a, b) => rankOf(b) - rankOf(a))) {
    add(operation, 'parameter', operation.parameters);
    add(operation, 'body', operation.body?.fields ?? []);
    for (const { status, fields, headers } of operation.successes) {
      add(operation, `${status}`, fields);
      add(operation, `${status}-header`, headers);
    }
  }
  return [...drafts.values()];
}

const errorEntries = (): Draft[] =>
  Object.entries(errorExplanations).flatMap(([code, { meaning, action }]) =>
    isErrorCode(code)
      ? [
          {
            kind: 'error' as const,
            href: `/docs/errors#${code}`,
            title: code,
            place: `status ${httpStatus(code)}`,
            text: `${meaning} ${action}`,
            names: `${httpStatus(code)} error`,
          },
        ]
      : [],
  );

/** A type of GraphQL with its members. The fields of the entry point have entries of their own, because documents begin with them. */
function typeEntries({ name, description, fields, values }: GraphqlSchema['types'][number]): Draft[] {
  const entry = { kind: 'type' as const, place: 'GraphQL', names: `${inWords(name)} graphql type` };
  const href = `/docs/graphql/schema#${name}`;
  const members = [...fields, ...values].map((member) => member.name).join(', ');
  const own = { ...entry, href, title: name, text: `${description} ${members}`.trim() };
  if (name !== entryPoint) return [own];
  return [
    own,
    ...fields.map((field) => ({
      ...entry,
      href: `${href}.${field.name}`,
      title: `${name}.${field.name}`,
      text: field.description,
    })),
  ];
}

const shortened = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt - 1)}…` : line;
};
