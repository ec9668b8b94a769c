import { createTransport } from 'nodemailer';
import type { SendMail } from './send-mail.ts';

/** If a mail server does not respond, it delays a request or a shutdown for at most this time. */
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 10_000;

/**
 * Sends mail by SMTP. `url` is smtp://user:password@host:port or smtps://… Rejects if the server refuses the message or does not respond.
 */
export function createSmtpMailer(options: { url: string; from: string }): SendMail & { close(): void } {
  const limits = {
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  };
  const access = { disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport({ url: options.url, ...limits, ...access }, { from: options.from });
  const send = async ({ to, subject, text }: Parameters<SendMail>[0]) => {
    // An address in an object is one recipient. A plain text would be read as a list of addresses.
    await transport.sendMail({ to: { name: '', address: to }, subject, text });
  };
  return Object.assign(send, { close: () => transport.close() });
}
