import type { Environment } from '@shopscope/environment';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { Application } from '../wiring/application.ts';
import type { Problem } from './problem.ts';
import type { SentForm } from './read-form.ts';

/** The server's data and functions for loaders and actions of the web application, for one request. */
export interface RequestContext {
  application: Application;
  /** The nonce in the content security policy of this response. Undefined on a public page, which has no inline script. */
  nonce: string | undefined;
  /** The id and trace of the request. Calls and log lines include them. */
  origin: Origin;
  /** The path and query of the page, even if the client's router requested only the page's data. */
  path: string;
  /** The network address of the person, for the audit log and for throttling. */
  address: string;
  /** The public base URL of the dashboard. */
  url: string;
  /** The public base URL of the pages for everybody. */
  siteUrl: string;
  /** Set if a limit refuses the request. The root route answers with it, and no loader or action runs. */
  refusal: Problem | undefined;
  logger: Logger;
  /** Reads the form of an action. Throws `invalid_request`: see {@link SentForm}. */
  readForm(request: Request): Promise<SentForm>;
  /** Converts a failure into the text of a page, and logs it once. */
  toProblem(error: unknown): Problem;
  /** Called when the page fails with an error that is not a problem. */
  onDefect(): void;
  /** Called when the path of the page has named the environment. Metrics and log lines then have it. */
  onEnvironment(environment: Environment): void;
}
