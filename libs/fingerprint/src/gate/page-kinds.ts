import type { StatusState } from '../types.ts';

/**
 * All kinds of responses that are not the store's own page, with their effects. This is the only such table.
 *
 * - `status`: the store's platform or its registrar states that the shop is closed to visitors. The observation has this status.
 * - `fails`: nothing of the store was seen. There is no observation, and the scan fails with the code.
 */
export const pageKinds = {
  password: {
    status: 'password_protected',
    what: 'The platform asks for the password of the shop, or says that it opens soon.',
  },
  closed: {
    status: 'closed',
    what: 'The page says that the shop is closed. A status alone, such as 404, says nothing.',
  },
  parked: { status: 'parked', what: 'A registrar or a broker shows its page for domains without a site.' },
  other_site: {
    status: 'redirected',
    what: 'Another site answers with a page of its own, and its address has no return URL.',
  },
  challenge: { fails: 'challenged', what: 'A bot protection checks the visitor.' },
  waiting_room: { fails: 'waiting_room', what: 'A queue lets visitors wait.' },
  consent_wall: { fails: 'consent_wall', what: 'The page asks for consent before it shows anything.' },
  age_wall: { fails: 'age_wall', what: 'The page asks for the age of the visitor before it shows anything.' },
  login_wall: { fails: 'login_wall', what: 'The page asks for an account before it shows anything.' },
  interstitial: {
    fails: 'interstitial_page',
    what: 'Another site answers, and its address has a return URL to the store.',
  },
  maintenance: { fails: 'maintenance_page', what: 'The page says that the site comes soon, or comes back.' },
  empty: { fails: 'empty_page', what: 'The page shows nothing.' },
  error: { fails: 'error_page', what: 'The page is an error text or a default page of a server, framework or host.' },
  redirect: { fails: 'redirect_page', what: 'The page only leads to another address, or has it in a frame.' },
  undecodable: { fails: 'undecodable', what: 'The body is binary, or in an encoding that was not declared.' },
  not_html: { fails: 'not_html', what: 'The answer is something else than HTML.' },
  forbidden: { fails: 'forbidden', what: 'The status is 401, 403 or 451.' },
  rate_limited: { fails: 'rate_limited', what: 'The status is 429.' },
  server_error: { fails: 'server_error', what: 'The status is 5xx.' },
} as const satisfies Record<string, { what: string } & ({ status: StatusState } | { fails: string })>;

export type PageKind = keyof typeof pageKinds;
type Failing = Extract<(typeof pageKinds)[PageKind], { fails: string }>;
export type PageFailureCode = Failing['fails'];

/** Every code, in the order of the table. */
export const pageFailureCodes: readonly PageFailureCode[] = Object.values(pageKinds).flatMap((kind) =>
  'fails' in kind ? [kind.fails] : [],
);

/** The reason why a page is not observed. */
export interface PageFailure {
  code: PageFailureCode;
  /** One sentence about the page. */
  message: string;
  /** The address to which the page leads by itself. */
  leadsTo?: string;
}

export type FailingKind = { [K in PageKind]: (typeof pageKinds)[K] extends { fails: string } ? K : never }[PageKind];

export function failureOf(kind: FailingKind, by = ''): PageFailure {
  const { fails: code, what } = pageKinds[kind];
  return { code, message: by === '' ? what : `${what} It is from ${by}.` };
}
