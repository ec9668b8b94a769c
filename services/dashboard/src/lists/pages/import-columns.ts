import { shownText } from '../../app/components/foreign-text.tsx';
import type { SentForm } from '../../app/inbound/read-form.ts';
import type { Mapping } from '../domain/import-file.ts';

const numberOf = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : -1);
const idOf = (text: string) => (text === 'none' ? null : numberOf(text));

/** The columns in the query of a page. Only those that it has. */
export function mappingIn(search: URLSearchParams): Partial<Mapping> {
  const domain = search.get('domain');
  const id = search.get('id');
  return { ...(domain !== null && { domain: numberOf(domain) }), ...(id !== null && { externalId: idOf(id) }) };
}

export const mappingOf = (form: SentForm): Mapping => ({
  domain: numberOf(form.text('domain_column')),
  externalId: idOf(form.text('id_column')),
});

const maxName = 40;

/** The name of a column on pages; its first cell if the file has no header. */
export function columnName(column: number, header: readonly string[], sample: string): string {
  const name = shownText(header[column] ?? '', maxName);
  if (name !== '') return name;
  const example = shownText(sample, maxName);
  return `Column ${column + 1}${example === '' ? '' : ` (${example})`}`;
}
