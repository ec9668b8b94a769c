import { data } from 'react-router';
import { Card } from '../components/page.tsx';
import type { Route } from './+types/development-mail';
import { contextOf, load } from './server.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Development mail · Shopscope' }];

/** The mail that a development system stores. Production systems have no such page. */
export async function loader({ context }: Route.LoaderArgs) {
  const { developmentMails } = contextOf(context).application;
  if (!developmentMails) throw data({}, { status: 404 });
  const mails = await load(context, () => developmentMails.list());
  return { mails: mails.map(({ to, subject, text, sentAt }) => ({ to, subject, text, sentAt: sentAt.toISOString() })) };
}

const link = /(https?:\/\/\S+)/;

export default function DevelopmentMail({ loaderData: { mails } }: Route.ComponentProps) {
  return (
    <main className="mx-auto grid max-w-[720px] gap-4 px-4 py-8">
      <h1 className="text-xl">Development mail</h1>
      <p className="text-quiet">This system sends no mail. The latest 50 messages stand here for 7 days.</p>
      {mails.length === 0 && <Card>No mail yet.</Card>}
      {mails.map(({ to, subject, text, sentAt }) => (
        <Card key={sentAt + to} className="grid gap-2">
          <p className="flex flex-wrap justify-between gap-2 text-sm text-quiet">
            <span>To {to}</span>
            <time dateTime={sentAt}>{sentAt.replace('T', ' ').slice(0, 19)} UTC</time>
          </p>
          <h2 className="text-lg">{subject}</h2>
          <p className="whitespace-pre-wrap">
            {text.split(link).map((piece) =>
              link.test(piece) ? (
                <a key={piece} href={piece} className="break-all text-accent underline">
                  {piece}
                </a>
              ) : (
                piece
              ),
            )}
          </p>
        </Card>
      ))}
    </main>
  );
}
