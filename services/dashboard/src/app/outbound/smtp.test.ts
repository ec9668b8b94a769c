import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createRegistry } from '@shopscope/telemetry';
import { afterEach, expect, it } from 'vitest';
import { createMetrics } from '../../metrics.ts';
import { countMails } from './counted-mails.ts';
import { createSmtpMailer } from './smtp.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on loopback. Resolves with the mailer that uses it. */
async function mailerTo(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Shopscope <mail@shopscope.test>' });
  closing.push(() => {
    mailer.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return mailer;
}

/** Speaks as much SMTP as one message needs. */
function receive(socket: Socket, onMessage: (text: string) => void) {
  let message: string | undefined;
  socket.write('220 test\r\n');
  socket.on('data', (chunk) => {
    const text = chunk.toString();
    if (message !== undefined) {
      message += text;
      if (!message.endsWith('\r\n.\r\n')) return;
      onMessage(message);
      message = undefined;
    }
    if (/^DATA/i.test(text)) message = '';
    socket.write(/^DATA/i.test(text) ? '354 continue\r\n' : '250 OK\r\n');
  });
}

const mail = { to: 'ann@example.com', subject: 'Join Acme', text: 'Open this link.' };

it('a mail reaches the server with its sender, subject and text', async () => {
  const received: string[] = [];
  const send = await mailerTo((socket) => receive(socket, (text) => received.push(text)));
  await send(mail);
  for (const line of ['From: Shopscope <mail@shopscope.test>', 'To: ann@example.com', 'Subject: Join Acme'])
    expect(received[0]).toContain(line);
  expect(received[0]).toContain('Open this link.');
});

it.each([
  ['a line break in the subject', { ...mail, subject: 'Join\r\nBcc: evil@example.com\r\n\r\nbody' }],
  ['a line break in the address', { ...mail, to: 'ann@example.com\r\nBcc: evil@example.com' }],
  ['a second address', { ...mail, to: 'ann@example.com, evil@example.com' }],
  ['a group of addresses', { ...mail, to: 'all: ann@example.com, evil@example.com;' }],
])('a mail has no further header and no further recipient: %s', async (_, hostile) => {
  const received: string[] = [];
  const recipients: string[] = [];
  const send = await mailerTo((socket) => {
    receive(socket, (text) => received.push(text));
    socket.on('data', (chunk) => recipients.push(...(chunk.toString().match(/^RCPT TO:.*$/gim) ?? [])));
  });
  await send(hostile).catch(() => {});
  expect(recipients.length).toBeLessThanOrEqual(1);
  expect(recipients.join()).not.toMatch(/<evil@example\.com>/);
  expect(received.join()).not.toMatch(/^bcc:/im);
});

it.each([
  ['has no such address', '550 5.1.1 No such user here', 'refused'],
  ['has no such domain', '550-5.1.2 We know\r\n550 5.1.2 no such domain', 'refused'],
  ['does not relay', '554 5.7.1 Relay access denied', 'failed'],
  ['says nothing in particular', '550 No', 'failed'],
])('a mail to a server that %s gives the answer %s, and the mail counts as %s', async (_, answer, outcome) => {
  const registry = createRegistry({ service: 'dashboard' });
  const send = countMails(
    await mailerTo((socket) => {
      socket.write('220 test\r\n');
      socket.on('data', (chunk) => socket.write(/^RCPT/i.test(chunk.toString()) ? `${answer}\r\n` : '250 OK\r\n'));
    }),
    createMetrics(registry).mails,
  );
  await expect(send(mail)).rejects.toThrow();
  const { values } = (await registry.getSingleMetric('dashboard_mails_total')?.get()) ?? { values: [] };
  expect(values.filter(({ value }) => value === 1).map(({ labels }) => labels.outcome)).toEqual([outcome]);
});

it('a mail is rejected when the server accepts the connection and never responds', {
  tags: ['wall-clock'],
  timeout: 15_000,
}, async () => {
  const send = await mailerTo(() => {});
  await expect(send(mail)).rejects.toThrow(/greeting/i);
});
