import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { ErrorPage } from '../components/failure.tsx';
import { failureTitle } from '../domain/failure-title.ts';
import type { FailedPage, FailurePage } from '../inbound/refuse-request.ts';
import stylesheet from './app.css?url';
import icon from './icon.svg?url';
import { type Preferences, readPreferences } from './preferences.ts';

/**
 * Renders the error page as a separate document, for a request that reaches no route. It has no script.
 *
 * - A flood of refused requests must cost little. Each kind of page is therefore rendered once, and its texts are inserted later.
 * - Bound: one document per status, kind and theme.
 */
export function createFailurePage(): FailurePage {
  const documents = new Map<string, string>();
  return (problem, { path, cookies }) => {
    const { theme } = readPreferences(cookies);
    const { status, rightAddress } = problem;
    const kind = `${status} ${problem.isRefused === true} ${rightAddress !== undefined} ${theme}`;
    const shown = { ...problem, ...texts, rightAddress: rightAddress === undefined ? undefined : texts.rightAddress };
    const document = documents.get(kind) ?? render(shown, theme);
    documents.set(kind, document);
    return document
      .replaceAll(texts.message, () => escaped(problem.message))
      .replaceAll(texts.rightAddress, () => escaped(rightAddress ?? ''))
      .replaceAll(texts.requestId, () => escaped(problem.requestId))
      .replaceAll(texts.path, () => escaped(path));
  };
}

const texts = {
  message: 'TEXT-OF-THE-PROBLEM',
  requestId: 'ID-OF-THE-REQUEST',
  path: '/PATH-OF-THE-PAGE',
  rightAddress: 'https://right-address.invalid/',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const render = (problem: FailedPage, theme: Preferences['theme']): string =>
  `<!doctype html>${renderToStaticMarkup(
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${failureTitle(problem.status)} · Shopscope`}</title>
        <link rel="icon" type="image/svg+xml" href={icon} />
        <link rel="stylesheet" href={stylesheet} />
      </head>
      <body>
        <StaticRouter location={texts.path}>
          <ErrorPage problem={problem} requestId={problem.requestId} />
        </StaticRouter>
      </body>
    </html>,
  )}`;
