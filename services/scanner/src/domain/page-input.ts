import { decodePage, type FurtherPageInput, type PageInput } from '@shopscope/fingerprint';
import type { FurtherPageVisit, HomeVisit } from './page.ts';

/** The input of detection: the page and the further resources, decoded to text. */
export function toPageInput(domain: string, visit: HomeVisit): PageInput {
  const { page } = visit;
  return {
    url: page.url,
    status: page.status,
    headers: page.headers,
    cookies: [...page.setCookies],
    html: decodePage(page.body, page.headers['content-type']),
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

/** The further pages of the site, as input of detection. */
export function toFurtherPageInputs(domain: string, further: readonly FurtherPageVisit[]): FurtherPageInput[] {
  return further.map(({ kind, page }) => ({
    kind,
    page: {
      url: page.url,
      status: page.status,
      headers: page.headers,
      cookies: [...page.setCookies],
      html: decodePage(page.body, page.headers['content-type']),
      requestedHost: domain,
    },
  }));
}
