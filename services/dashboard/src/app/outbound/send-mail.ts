/** A plain-text message. Every mail program can show it, and it loads nothing. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Resolves when the mail server, or the development outbox, has accepted the message. */
export type SendMail = (mail: Mail) => Promise<void>;
