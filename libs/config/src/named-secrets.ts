import { z } from 'zod';
import { secretLengthMin } from './secrets.ts';

/** A secret with an id. Several are configured while one replaces another. */
export interface NamedSecret {
  id: string;
  secret: string;
}

/** The first one is current. */
export type NamedSecrets = readonly [NamedSecret, ...NamedSecret[]];

/** A rotation needs two secrets. More of them allow a second rotation during the first. */
export const maxNamedSecrets = 4;

const secretId = /^[a-z0-9][a-z0-9_-]{0,19}$/;

/** A setting with secrets, as `id:secret,id:secret`. In production {@link secretRule} with {@link namedSecretsOf} applies, too. */
export const namedSecrets = () =>
  z.string().transform((text, context) => {
    const { secrets, problems } = parseNamedSecrets(text);
    for (const message of problems) context.addIssue({ code: 'custom', message });
    return secrets as unknown as NamedSecrets;
  });

export const namedSecretsOf = (text: string): string[] => parseNamedSecrets(text).secrets.map(({ secret }) => secret);

/** Parses entries `id:secret`, separated by commas or line breaks. A problem contains the position of an entry, never its text. */
export function parseNamedSecrets(text: string): { secrets: NamedSecret[]; problems: string[] } {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const secrets = entries.map((entry) => {
    const colon = entry.indexOf(':');
    return { id: colon < 0 ? '' : entry.slice(0, colon), secret: entry.slice(colon + 1) };
  });
  return { secrets, problems: [...problemsOf(secrets)] };
}

function* problemsOf(secrets: readonly NamedSecret[]): Generator<string> {
  if (secrets.length === 0) yield 'must have at least one entry id:secret';
  if (secrets.length > maxNamedSecrets) yield `must have at most ${maxNamedSecrets} entries`;
  for (const [index, { id, secret }] of secrets.entries()) {
    const entry = `entry ${index + 1}`;
    const earlier = secrets.slice(0, index);
    if (!secretId.test(id)) {
      yield `${entry} must be id:secret, with an id of 1 to 20 characters of a-z, 0-9, - and _`;
    } else if (secret.length < secretLengthMin) {
      yield `${entry}: the secret must have at least ${secretLengthMin} characters`;
    } else if (earlier.some((other) => other.id === id)) {
      yield `${entry} has the id of an earlier entry`;
    } else if (earlier.some((other) => other.secret === secret)) {
      yield `${entry} has the secret of an earlier entry`;
    }
  }
}
