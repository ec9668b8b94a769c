import type { Logger, Origin } from '@shopscope/telemetry';
import type { Application } from '../wiring/application.ts';
import type { Problem } from './problem.ts';
import type { SentForm } from './read-form.ts';

/** What a loader or an action of the web application gets from the server, for one request. */
export interface RequestContext {
  application: Application;
  /** Of the content security policy of this response. Undefined on a public page, which has no script of its own. */
  nonce: string | undefined;
  /** Id and trace of the request, which calls and log lines carry on. */
  origin: Origin;
  /** Path and query of the page, also in a request of the client's router for the page's data. */
  path: string;
  /** Network address of the person, for the audit log and for throttling. */
  address: string;
  /** Public base of the dashboard. */
  url: string;
  /** Public base of the pages for everybody. */
  siteUrl: string;
  /** A limit refuses the request. The root route answers with it, and nothing else runs. */
  refusal: Problem | undefined;
  logger: Logger;
  /** The form of an action. Throws `invalid_request`: see {@link SentForm}. */
  readForm(request: Request): Promise<SentForm>;
  /** Translates a failure into the text of a page, and logs it once. */
  toProblem(error: unknown): Problem;
  /** The page fails by an error that no problem stands for. */
  onDefect(): void;
}
