import { daySeconds } from '@shopscope/clock';

/** The choices of a person in this browser. Scripts can write these cookies, because they are not secret. */
export interface Preferences {
  /** If undefined, the setting of the operating system applies. */
  theme: 'light' | 'dark' | undefined;
  /** An IANA name. UTC until the browser has sent its zone. */
  timeZone: string;
}

export function readPreferences(cookies: string | null): Preferences {
  const read = (name: string) => decode(new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(cookies ?? '')?.[1] ?? '');
  const theme = read('theme');
  const timeZone = read('time-zone');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function isTimeZone(name: string): boolean {
  if (name === '' || name.length > 60) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const yearSeconds = 365 * daySeconds;

/** The Set-Cookie value of a theme. Undefined is the setting of the operating system. */
export const themeCookie = (theme: Preferences['theme']): string =>
  `theme=${theme ?? ''}; Path=/; Max-Age=${theme ? yearSeconds : 0}; SameSite=Lax`;

/** Sends the browser's time zone to the server, by a cookie. Returns false if the server knew it already. Browser only. */
export function rememberTimeZone(known: string): boolean {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone || timeZone === known) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is missing in some supported browsers.
  document.cookie = `time-zone=${encodeURIComponent(timeZone)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
  return true;
}
