import { decodeBody, decodePage, type FurtherPageInput, type PageInput } from '@shopscope/fingerprint';
import type { Fetched, FurtherPageVisit, HomeVisit } from './page.ts';

function inputOf(domain: string, { url, status, headers, setCookies, body }: Fetched) {
  const { text, isSure } = decodeBody(body, headers['content-type']);
  return { url, status, headers, cookies: [...setCookies], html: text, isTextUnsure: !isSure, requestedHost: domain };
}

/** Returns the input of detection: the page and the further resources, decoded to text. */
export function toPageInput(domain: string, visit: HomeVisit): PageInput {
  return {
    ...inputOf(domain, visit.page),
    resources: visit.resources.map(({ url, status, headers, body }) => ({
      url,
      status,
      headers,
      body: decodePage(body, headers['content-type']),
    })),
    dns: visit.dns,
    ...(visit.certificate && { certificate: visit.certificate }),
  };
}

export function toFurtherPageInputs(domain: string, further: readonly FurtherPageVisit[]): FurtherPageInput[] {
  return further.map(({ kind, page }) => ({ kind, page: inputOf(domain, page) }));
}
