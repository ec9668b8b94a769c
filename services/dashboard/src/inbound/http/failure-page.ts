import { failureTitle } from '../../domain/failure-title.ts';

/** A page without the web application, for a request that does not reach it. `text` is HTML. */
export function failurePage(status: number, text: string): string {
  const title = failureTitle(status);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Shopscope</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}
