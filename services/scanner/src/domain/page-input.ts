import { decodeBody, decodePage, type FurtherPageInput, type PageInput } from '@shopscope/fingerprint';
import type { Fetched, FurtherPageVisit, HomeVisit } from './page.ts';

function textOf({ body, headers }: Fetched): Pick<PageInput, 'html' | 'isTextUnsure'> {
  const { text, isSure } = decodeBody(body, headers['content-type']);
  return { html: text, isTextUnsure: !isSure };
}

/** The input of detection: the page and the further resources, decoded to text. */
export function toPageInput(domain: string, visit: HomeVisit): PageInput {
  const { page } = visit;
  return {
    url: page.url,
    status: page.status,
    headers: page.headers,
    cookies: [...page.setCookies],
    ...textOf(page),
    resources: visit.resources.map(({ url, status, headers, body }) => ({
      url,
      status,
      headers,
      body: decodePage(body, headers['content-type']),
    })),
    requestedHost: domain,
    dns: visit.dns,
    ...(visit.certificate && { certificate: visit.certificate }),
  };
}

export function toFurtherPageInputs(domain: string, further: readonly FurtherPageVisit[]): FurtherPageInput[] {
  return further.map(({ kind, page }) => ({
    kind,
    page: {
      url: page.url,
      status: page.status,
      headers: page.headers,
      cookies: [...page.setCookies],
      ...textOf(page),
      requestedHost: domain,
    },
  }));
}
