const minute = 60;
const hour = 60 * minute;

/**
 * Limits of attempts. The limits of a sign-in count failures only.
 *
 * - A browser that has signed in to the account before has a limit of its own. Strangers cannot use this limit up, and therefore cannot
 *   lock a person out.
 * - All other browsers share the limits of their network address and of the account.
 */
export const limits = {
  signInOfAddress: { name: 'sign-in-address', points: 100, seconds: 10 * minute },
  signInOfAccountAndAddress: { name: 'sign-in-account-address', points: 10, seconds: 15 * minute },
  signInOfAccount: { name: 'sign-in-account', points: 50, seconds: hour },
  signInOfDevice: { name: 'sign-in-device', points: 10, seconds: 15 * minute },
  /** Codes of the second factor. better-auth also bounds them per sign-in and per account. */
  codeOfAddress: { name: 'code-address', points: 30, seconds: 10 * minute },
  /** Passwords and codes of a signed-in person. */
  confirmationOfPerson: { name: 'confirmation-person', points: 10, seconds: 15 * minute },
  signUpOfAddress: { name: 'sign-up-address', points: 20, seconds: hour },
  /** Requests for a mail: to reset a password, or to confirm an address. */
  mailOfAddress: { name: 'mail-address', points: 30, seconds: hour },
  /** Mails of one kind to one recipient. Further mails are not sent, and pages for people without a session do not show it. */
  mailOfRecipient: { name: 'mail-recipient', points: 5, seconds: hour },
  /** Invitations of one workspace to one address. */
  invitationOfRecipient: { name: 'invitation-recipient', points: 5, seconds: hour },
  invitationOfPerson: { name: 'invitation-person', points: 50, seconds: hour },
  /** Invitation mails of all workspaces to one address. Further invitations are stored, but not mailed. */
  invitationMailOfRecipient: { name: 'invitation-mail-recipient', points: 20, seconds: hour },
  /** Five pages a second for a minute: more than a person reads, and enough for the crawlers of search engines. */
  publicPageOfAddress: { name: 'public-page-address', points: 300, seconds: minute },
  /** Counts of stores while a person types a query: one a second. */
  storeCountOfPerson: { name: 'store-count-person', points: 60, seconds: minute },
  /** MCP messages with a missing, malformed or refused API key. */
  mcpRefusalOfAddress: { name: 'mcp-refusal-address', points: 60, seconds: minute },
  tokenOfAddress: { name: 'token-address', points: 60, seconds: 10 * minute },
} as const satisfies Record<string, { name: string; points: number; seconds: number }>;

/** At most `points` attempts within `seconds`, counted under a key. */
export type Limit = (typeof limits)[keyof typeof limits];

/** For example "40 seconds", "12 minutes". */
export function waitingTime(seconds: number): string {
  const [count, unit] =
    seconds < 100 ? [Math.max(1, Math.ceil(seconds)), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
