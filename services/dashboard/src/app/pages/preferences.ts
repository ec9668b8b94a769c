/** What a person chose in this browser. Cookies that scripts can write, because they are no secret. */
export interface Preferences {
  /** Undefined: the setting of the operating system. */
  theme: 'light' | 'dark' | undefined;
  /** IANA name. UTC until the browser has told its zone. */
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

const yearSeconds = 365 * 24 * 60 * 60;

/** The Set-Cookie value of a theme; undefined is the setting of the operating system. */
export const themeCookie = (theme: Preferences['theme']): string =>
  `theme=${theme ?? ''}; Path=/; Max-Age=${theme ? yearSeconds : 0}; SameSite=Lax`;

/** Tells the server the browser's time zone, by a cookie. Returns false when the server knew it already. Browser only. */
export function rememberTimeZone(known: string): boolean {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone || timeZone === known) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is missing in some supported browsers.
  document.cookie = `time-zone=${encodeURIComponent(timeZone)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
  return true;
}
