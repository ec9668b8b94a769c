export { mailboxKey } from './domain/mailbox.ts';
export { mails } from './domain/mails.ts';
