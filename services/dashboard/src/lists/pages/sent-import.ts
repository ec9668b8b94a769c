import type { SentForm } from '../../app/inbound/read-form.ts';

/** What a form with {@link ImportFields} has sent. It is undefined if the form has neither a file nor a text. */
export async function sentImport(form: SentForm): Promise<{ bytes: Uint8Array; fileName: string } | undefined> {
  const file = form.file('file');
  if (file) return { bytes: await file.bytes(), fileName: file.name };
  const text = form.secret('domains');
  return text.trim() === '' ? undefined : { bytes: new TextEncoder().encode(text), fileName: '' };
}
