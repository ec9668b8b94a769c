import { AppError, invalidField } from '@shopscope/errors';

/** A form that was sent. A missing field is empty. Operations check which fields are required. */
export type SentForm = Awaited<ReturnType<typeof readForm>>;

const secretFields = /password|code|secret/i;
/** Excludes names that objects inherit. */
const fieldName = /^[a-z][a-z0-9_]*$/i;

/** Reads the form in the body. An invalid or truncated body is the caller's fault: `invalid_request`. */
export async function readForm(request: Request) {
  let sent: FormData;
  try {
    sent = await request.formData();
  } catch (cause) {
    throw new AppError('invalid_request', 'This is not a form that a page here sends. Nothing was changed.', { cause });
  }
  const texts = (name: string) =>
    sent.getAll(name).map((value) => {
      if (typeof value !== 'string') throw invalidField(name, 'Enter text here, not a file.');
      return value;
    });
  const secret = (name: string): string => {
    const [value = '', ...more] = texts(name);
    if (more.length > 0) throw invalidField(name, 'Send this field once.');
    return value;
  };
  return {
    /** A text as it was typed: a password or a code. Throws `invalid_request` with the field if it is a file or is sent twice. */
    secret,
    texts,
    /** As `secret`, without leading and trailing spaces. */
    text: (name: string) => secret(name).trim(),
    file: (name: string) =>
      sent.getAll(name).find((value) => typeof value !== 'string' && value.size > 0) as File | undefined,
    /** Every field, to send the form again. Undefined if it has a file or a secret, which no page repeats. */
    entries(): [string, string][] | undefined {
      const entries = [...sent].filter(([, value]) => typeof value === 'string' || value.size > 0);
      const canRepeat = ([name, value]: [string, unknown]) => typeof value === 'string' && !secretFields.test(name);
      return entries.every(canRepeat) ? (entries as [string, string][]) : undefined;
    },
    /** The texts that the page shows again, without secrets. Several fields of one name, such as ticked ids, are joined by spaces. */
    typed(): Record<string, string> {
      const names = [...new Set(sent.keys())].filter((name) => fieldName.test(name) && !secretFields.test(name));
      const shown = names.map(
        (name) => [name, sent.getAll(name).filter((value) => typeof value === 'string')] as const,
      );
      return Object.fromEntries(
        shown.filter(([, values]) => values.length > 0).map(([name, values]) => [name, values.join(' ')]),
      );
    },
  };
}
