import { createTransport } from 'nodemailer';
import type { SendMail } from './send-mail.ts';

/** Sends mail by SMTP. `url` is smtp://user:password@host:port or smtps://… Rejects when the server refuses the message. */
export function createSmtpMailer(options: { url: string; from: string }): SendMail & { close(): void } {
  const transport = createTransport(options.url, {
    from: options.from,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send = async (mail: Parameters<SendMail>[0]) => {
    await transport.sendMail(mail);
  };
  return Object.assign(send, { close: () => transport.close() });
}
