import { createTransport } from 'nodemailer';
import type { SendMail } from './send-mail.ts';

/** A mail server that does not respond holds a request or a shutdown at most this long. */
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 10_000;

/**
 * Sends mail by SMTP. `url` is smtp://user:password@host:port or smtps://… Rejects when the server refuses the message or
 * does not respond.
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
    // As an object, an address is one recipient. A text would be read as a list.
    await transport.sendMail({ to: { name: '', address: to }, subject, text });
  };
  return Object.assign(send, { close: () => transport.close() });
}
