import type { Mail } from '../outbound/mail/send-mail.ts';
import type { Account } from './account.ts';
import type { FreeWorkspaces } from './free-workspaces.ts';
import type { Invitations } from './invitations.ts';
import type { Passwords } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';
import type { SignUp } from './sign-up.ts';
import type { SingleSignOnStart } from './single-sign-on.ts';
import type { Workspaces } from './workspaces.ts';

/** The operations that the pages call. */
export interface Application {
  sessions: Sessions;
  workspaces: Workspaces;
  invitations: Invitations;
  signUp: SignUp;
  freeWorkspaces: FreeWorkspaces;
  passwords: Passwords;
  secondFactor: SecondFactor;
  account: Account;
  /** Present when an issuer is configured. */
  singleSignOn: SingleSignOnStart | undefined;
  /** Present in development systems that keep mail instead of sending it. */
  developmentMails: { list(): Promise<(Mail & { sentAt: Date })[]> } | undefined;
}
