// Generated from docs/openapi.json: npm run generate --workspace @shopscope/client

export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What this host offers */
        readonly get: operations["getHost"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The operations that this build serves */
        readonly get: operations["getIndex"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether the service is well */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This contract */
        readonly get: operations["getOpenapi"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/enrich": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Profiles of many stores
         * @description Every input is canonicalized and answered by itself, in order. With refresh true (scope write:scans) unknown and stale domains are queued for a scan; the request never visits a site. A scan usually completes within minutes.
         *
         *     To see its end, read GET /v1/jobs/{job_id} with scan_job_id about every 10 seconds, free (scope read:jobs). The job ends within an hour, and says why a scan failed. When it has succeeded, GET /v1/stores/{domain} has the profile. A key without read:jobs reads the store after a few minutes: 404 and, with If-None-Match, 304 are free.
         *
         *     A scan can fail, for example when the site does not answer: then an unknown domain stays 404, a known one keeps its profile, and the scan stays billed. A further request with refresh true then queues and bills another scan; while a scan of the domain is queued or running for the workspace, such a request joins it free.
         */
        readonly post: operations["enrichStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/{domain}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Profile of one store
         * @description A 404 means unknown, which does not mean that the site is not a store. To request a scan, use POST /v1/stores/enrich with refresh true. A domain whose first scan is queued, is running or has failed answers 404.
         */
        readonly get: operations["getStore"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Which stores match, in the flat form
         * @description The parameters are ANDed. POST /v1/stores/search has the whole language. All pages of a cursor are of one edition, a frozen view of all stores: following next_cursor answers every store of it that matches once. A cursor of an edition that has ended answers 400; begin again. dropped and moved need read:signals too, and list needs read:watchlists too.
         */
        readonly get: operations["listStores"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Which stores match
         * @description All pages of a cursor are of one edition, a frozen view of all stores: following next_cursor answers every store of it that matches once. A cursor of an edition that has ended answers 400; begin again. dropped and moved need read:signals too, and list needs read:watchlists too. max_units smaller than what a page of limit rows may bill answers 400. With a list, a full page must be left of the period, else 402.
         */
        readonly post: operations["searchStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/count": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * How many stores match, and how they divide
         * @description The total is exact, and facets count within the whole where. A total below 5 is hidden with all that stands beside it, and smaller values of facets are in other. With a list, numbers are rounded to tens, and a total below 10, also 0, is hidden. The stores of list.none leave a number in whole tens. dropped and moved need read:signals too, and list needs read:watchlists too.
         */
        readonly post: operations["countStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Export all stores that match as a job
         * @description Starts a job that writes the rows of a search into parts, at most 1,000 at a time, and bills each part once. Follow it with GET /v1/jobs/{job_id}; GET /v1/jobs/{job_id}/results lists the parts for 30 days, free (scope read:jobs). The parts in their order are the file. All rows are of one edition. When it ends before the first charge, the job continues with the latest one, if that fits; later the job fails, and the parts stay.
         *
         *     More matching stores than max_rows answer 400. max_units is required above 1,000 stores. A quote that does not fit it answers 400, and one that does not fit what is left of the period answers 402. These checks and the total of an unfinished job know only what POST /v1/stores/count shows. A workspace has at most 20 such jobs and enrichments that have not ended, and 500 exports in 30 days. Beyond either bound the response is 400. dropped and moved need read:signals too, and list needs read:watchlists too.
         */
        readonly post: operations["exportStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/account": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Key in use, plan and billing period */
        readonly get: operations["getAccount"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/usage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Consumption of the period, in total and by key */
        readonly get: operations["getUsage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/technologies": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The technology vocabulary */
        readonly get: operations["listTechnologies"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/technologies/{slug}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * One technology, and the stores that use it
         * @description An earlier slug of a product finds it, too. The entry has the current slug. The figures are of active stores; they are null while they are not known.
         */
        readonly get: operations["getTechnology"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/{domain}/scans": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Ask for a scan of one store
         * @description Queues a scan of the domain, whether its profile is fresh or not, and returns the job; the request never visits the site.
         *
         *     While a scan of the domain is queued or running for the workspace, the request joins its job, and nothing is billed. Poll GET /v1/jobs/{job_id} about every 10 seconds until the state is succeeded, failed or canceled. A scan that fails stays billed. A body may be absent or an object without members.
         */
        readonly post: operations["requestScan"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The workspace's jobs, newest first
         * @description Scans are kept for 90 days after their end, other jobs for 30. A job of a request that is still in progress may be listed as queued, and is gone when that request is refused.
         */
        readonly get: operations["listJobs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{job_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * One job
         * @description A job exists as soon as a response has its id. A scan is kept for 90 days after its end, another job for 30.
         */
        readonly get: operations["getJob"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{job_id}/results": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What a job did, by domain or part
         * @description Until the job has ended, results can be missing: read them again from the start when the job has ended. A store has the same bytes as in GET /v1/stores/{domain}. With Accept: application/x-ndjson the response has one line for every result, and the limit does not apply. That response may take 30 minutes, and its connection closes early if rows are missing. A replay has no results: GET /v1/webhooks/{webhook_id}/deliveries has its deliveries. An export has its parts. Free.
         */
        readonly get: operations["getJobResults"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{job_id}/parts/{part}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A part of an export
         * @description NDJSON has one row of POST /v1/stores/search per line. CSV is RFC 4180 in UTF-8: part 1 has the header, and a text that a spreadsheet would take for a formula begins with an apostrophe. A part never changes. A Range of bytes answers 206, uncompressed; any other Range is ignored. The connection closes early if bytes are missing. Free, for 30 days after the end of the job.
         */
        readonly get: operations["getJobPart"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{job_id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a job
         * @description A queued job is canceled, and its unit goes back to the period in which it was billed, usually within seconds. A running job is canceled and stays billed. An enrichment whose step is being billed answers running until that step has ended. A job that has ended is returned as it is. Jobs of other workspaces for the same domain continue. An enrichment keeps its results, which stay billed. Canceling needs the scopes that start such a job: write:scans for a scan, write:webhooks for a replay, those of POST /v1/lists/{list_id}/enrich for an enrichment, those of the query for an export. A canceled replay withdraws the deliveries that were not tried. A body may be absent or an object without members.
         */
        readonly post: operations["cancelJob"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stores/{domain}/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Confirmed signals of one store, newest first
         * @description Only confirmed changes: a removal is confirmed by two successive full observations without the technology, at least six hours apart. A signal that the next full scan refuted is left out; include=retracted shows it with retracted_at, and retracted_from and retracted_to select such signals. The plan reaches plan.limits.history_days of effective_at back. A page examines at most 10,000 signals for the filters, so it can have fewer rows than limit, also none: follow next_cursor until it is null.
         */
        readonly get: operations["getStoreHistory"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/signals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Confirmed signals across stores, newest confirmed_at first
         * @description A signal that the next full scan refuted is left out; include=retracted shows it with retracted_at, and retracted_from and retracted_to select such signals. Platform, country and industry are those of the store when the signal was confirmed. The plan reaches plan.limits.history_days of confirmed_at back. A value that does not exist is 400 and named. order=asc has what was recorded until the first page by ascending confirmed_at, then what is recorded later, at least 10 s after it: following next_cursor skips nothing. A page examines at most 10,000 signals for the filters, so it can have fewer rows than limit, also none: follow next_cursor until it is null, with order=asc until has_more is false. With list_id it examines at most 100,000.
         */
        readonly get: operations["searchSignals"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The workspace's events, in the order of their sequence
         * @description Events are kept for 30 days. The sequence of a workspace has no gap, and a reader that has read up to an event never finds a new one before it: follow next_cursor to miss nothing. An after behind which events were deleted answers 400 naming after.
         */
        readonly get: operations["listEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/event_types": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The types of events, each with its schema and an example
         * @description A later release may add types. A caller ignores events of a type that it does not know.
         */
        readonly get: operations["listEventTypes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/lists": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Every list of the workspace, newest first */
        readonly get: operations["listLists"];
        readonly put?: never;
        /**
         * Create a list of stores
         * @description The plan bounds the lists of a workspace (lists). A request beyond the quota answers 400 and changes nothing.
         */
        readonly post: operations["createList"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/lists/{list_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One list */
        readonly get: operations["getList"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a list
         * @description The list and its stores are gone for every later request, and no longer count to the quotas. Its unfinished jobs are canceled; results stay for 30 days.
         */
        readonly delete: operations["deleteList"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a list
         * @description Changes the members that the request has.
         */
        readonly patch: operations["updateList"];
        readonly trace?: never;
    };
    readonly "/v1/lists/{list_id}/stores": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Stores of a list, by domain */
        readonly get: operations["listListStores"];
        readonly put?: never;
        /**
         * Add stores to a list
         * @description Adds at most 2,000 stores. The request is done as a whole: beyond the quota list_stores of the plan, which counts the stores of all lists together, it answers 400 and adds none. A domain that occurs twice is added once, and the last external_id counts.
         */
        readonly post: operations["addListStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/lists/{list_id}/stores/remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Remove stores from a list */
        readonly post: operations["removeListStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/lists/{list_id}/stores/{domain}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove one store from a list
         * @description A store that the list does not have answers 404.
         */
        readonly delete: operations["removeListStore"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/lists/{list_id}/enrich": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Enrich every store of a list as a job
         * @description Starts a job over the stores that the list has now. It looks the stores up in steps of at most 100, and each step bills what its results answer, once. Follow it with GET /v1/jobs/{job_id}; GET /v1/jobs/{job_id}/results has its results for 30 days, free (scope read:jobs). Needs read:stores too.
         *
         *     A list of a job has at most 250,000 stores, and a workspace has at most 20 enrichments that have not ended. Beyond either bound the response is 400.
         *
         *     With dry_run, the response is 200 with the counts of the stores and the quote, free. Without it, a quote that does not fit what is left of the period answers 402, and a quote above max_units answers 400. When the allowance ends while the job runs, the rest of its results has the match error and the reason allowance_exhausted.
         */
        readonly post: operations["enrichList"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/watchlists": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Every watchlist of the workspace, newest first */
        readonly get: operations["listWatchlists"];
        readonly put?: never;
        /**
         * Create a watchlist
         * @description The workspace receives the confirmed signals of the stores in the watchlist. The plan bounds the watchlists of a workspace (watchlists). A request beyond the quota answers 400 and changes nothing. An unknown technology answers 400, and the message names it.
         */
        readonly post: operations["createWatchlist"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/watchlists/{watchlist_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One watchlist */
        readonly get: operations["getWatchlist"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a watchlist
         * @description The watchlist and its stores are gone for every later request, and no longer count to the quotas. Rescans that have not started are withdrawn, and their units return.
         */
        readonly delete: operations["deleteWatchlist"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change, pause or resume a watchlist
         * @description Replaces the members that the request has. A list in the request replaces the whole earlier list. Setting rescan_interval_days, even to the same value, also resumes rescans that pause with key_revoked or allowance_exhausted: from now on they bill the key of this request. They pause again if the allowance is still spent. A larger budget resumes rescans that pause with budget_exhausted.
         */
        readonly patch: operations["updateWatchlist"];
        readonly trace?: never;
    };
    readonly "/v1/watchlists/{watchlist_id}/stores": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Stores of a watchlist, by domain */
        readonly get: operations["listWatchlistStores"];
        readonly put?: never;
        /**
         * Add stores to a watchlist
         * @description Adds at most 2,000 stores. The request is done as a whole: beyond the quota watched_stores of the plan, which counts the stores of all watchlists together, it answers 400 and adds none. A domain that occurs twice is added once, and the last external_id counts.
         */
        readonly post: operations["addWatchlistStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/watchlists/{watchlist_id}/stores/remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Remove stores from a watchlist */
        readonly post: operations["removeWatchlistStores"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/watchlists/{watchlist_id}/stores/{domain}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove one store from a watchlist
         * @description A store that the watchlist does not have answers 404.
         */
        readonly delete: operations["removeWatchlistStore"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Every webhook of the workspace, newest first */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Create a webhook; its secret is shown once
         * @description The events of the workspace are sent to the URL, signed as Standard Webhooks 1.0 describes. Delivery is at least once and unordered. The plan bounds the webhooks of a workspace (webhooks): a request beyond the quota answers 400 and changes nothing.
         */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{webhook_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One webhook */
        readonly get: operations["getWebhook"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a webhook
         * @description No attempt begins after the response; one that is in progress may still arrive. Its deliveries stay readable for 30 days.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change, pause or resume a webhook
         * @description Replaces the members that the request has, filters and headers as a whole. Deliveries that wait keep their event and go to the new URL. state: active also ends disabled. What was missed while disabled comes by a replay only.
         */
        readonly patch: operations["updateWebhook"];
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{webhook_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test event
         * @description Sends the example of a type of event at once, whatever the state of the webhook, and answers what the receiver answered. The message has `"test": true` and no sequence. It is no delivery and does not count as success or failure. The body may be absent.
         */
        readonly post: operations["testWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{webhook_id}/rotate_secret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Make a new secret; the old one signs as well while they overlap
         * @description At most two secrets sign: a second rotation ends the oldest one. The body may be absent.
         */
        readonly post: operations["rotateWebhookSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{webhook_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deliver the events of a time span again, as a job
         * @description Starts a job over the events that match the webhook now, behind the deliveries of new events. Follow it with GET /v1/jobs/{job_id}; canceling it withdraws what was not tried. A message keeps its webhook-id. A workspace has at most 20 replays that have not ended.
         */
        readonly post: operations["replayWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{webhook_id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Deliveries of a webhook, newest first */
        readonly get: operations["listWebhookDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Deliveries of the workspace, newest first
         * @description Deliveries are kept for 30 days, those of deleted webhooks too.
         */
        readonly get: operations["listDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/deliveries/{delivery_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One delivery with its attempts */
        readonly get: operations["getDelivery"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/deliveries/{delivery_id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Try a delivery again now
         * @description Makes one more attempt now, whatever the state of the delivery. While its webhook is paused or disabled, the response is 400 and names the state.
         */
        readonly post: operations["retryDelivery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/test/reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Restore the test tenant of the workspace
         * @description Removes the scans, jobs, lists, watchlists, events, webhooks, deliveries and usage of the workspace in the test environment, and restores its stores and allowance. An Idempotency-Key used before is new again, except for this operation. Live data and keys stay. The sequence of events goes on. After an error, repeat the request. A body may be absent or an object without members.
         */
        readonly post: operations["resetTestTenant"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/test/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Make an event of any type
         * @description Appends an event to the sequence of the workspace in the test environment. GET /v1/events shows it, and webhooks of the test environment get it as any event.
         */
        readonly post: operations["appendTestEvent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/test/allowance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Set what is left of the allowance
         * @description Sets what is left of the named units in the current period of the test environment, at most what the plan includes. Other units stay. used in the response does not change. X-Usage-Remaining of later responses shows what is left of lookup_cached.
         */
        readonly post: operations["setTestAllowance"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/graphql": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Read several resources with one GraphQL document
         * @description Reads what the GET operations and enrich read, with the same values, cursors and units. GET /v1/graphql/schema has the schema. Each field needs the scope of its REST operation; a field outside the scopes of the key fails the whole document. Everything is billed or nothing.
         *
         *     Bounds: 5,000 tokens, 50 aliases, fields nested 8 deep, 1,000 nodes (the domains and the `first` of the document), 16 MiB of response. Introspection is free and exempt from depth and nodes. Beyond a bound of the document, and for a document that does not parse or validate, the response is 400 with line and column; other errors are those of REST. There are no mutations and no subscriptions: webhooks and GET /v1/events deliver what changes.
         */
        readonly post: operations["graphql"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/graphql/schema": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The GraphQL schema
         * @description The types of POST /v1/graphql in the GraphQL schema language, with their descriptions.
         */
        readonly get: operations["getGraphqlSchema"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly "signal.confirmed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A signal of a store in an active watchlist was confirmed. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "signal.confirmed",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "type": "technology_added",
                     *         "technology": "klaviyo",
                     *         "from": null,
                     *         "to": "active",
                     *         "confidence": "high",
                     *         "effective_at": "2026-01-15T12:00:00.000Z",
                     *         "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *         "domain": "shop.example",
                     *         "storefront_id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *         "external_ids": [
                     *           "crm-1042"
                     *         ],
                     *         "watchlist_ids": [
                     *           "wl_01kandxv3w9p4nsbq7g8e2hm5t"
                     *         ]
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SignalConfirmedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "signal.retracted": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A confirmed signal of a store in an active watchlist was refuted by the next full scan. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "signal.retracted",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "type": "technology_removed",
                     *         "technology": "klaviyo",
                     *         "from": "active",
                     *         "to": null,
                     *         "confidence": "high",
                     *         "effective_at": "2026-01-15T12:00:00.000Z",
                     *         "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *         "retracted_at": "2026-01-16T12:00:00.000Z",
                     *         "retracted_reason": "technology_seen_again",
                     *         "domain": "shop.example",
                     *         "storefront_id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *         "external_ids": [
                     *           "crm-1042"
                     *         ],
                     *         "watchlist_ids": [
                     *           "wl_01kandxv3w9p4nsbq7g8e2hm5t"
                     *         ]
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SignalRetractedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "scan.completed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A scan job of the workspace has succeeded. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "scan.completed",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "job_id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "domain": "shop.example",
                     *         "finished_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ScanCompletedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "scan.failed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A scan job of the workspace has failed. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "scan.failed",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "job_id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "domain": "shop.example",
                     *         "finished_at": "2026-01-15T12:00:00.000Z",
                     *         "error": {
                     *           "code": "dns_failure",
                     *           "message": "The domain or a redirect target does not resolve."
                     *         }
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ScanFailedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "job.finished": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A bulk job has ended. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "job.finished",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "job_id": "job_u1kandxv3w9p4nsbq7g8e2hm5t",
                     *         "type": "enrich",
                     *         "state": "succeeded",
                     *         "progress": {
                     *           "total": 500,
                     *           "done": 500,
                     *           "failed": 3
                     *         },
                     *         "finished_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["JobFinishedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "usage.threshold_reached": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A percentage of a unit of the allowance is used. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "usage.threshold_reached",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "unit": "lookup_live",
                     *         "percent": 80,
                     *         "period_starts_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["UsageThresholdReachedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "key.expiring": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** An API key expires in 7 days or in one day, and was made earlier than that. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "key.expiring",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "key_id": "key_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "days_left": 7,
                     *         "expires_at": "2026-01-22T12:00:00.000Z"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeyExpiringMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "watchlist.paused": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A person has paused a watchlist: neither rescans nor signals. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "watchlist.paused",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "watchlist_id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "name": "Competitors"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WatchlistPausedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "watchlist.resumed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A person has made a watchlist active again. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "watchlist.resumed",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "watchlist_id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "name": "Competitors"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WatchlistResumedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "watchlist.rescans_paused": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A watchlist has no more rescans for now; its signals continue. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "watchlist.rescans_paused",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "watchlist_id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "name": "Competitors",
                     *         "reason": "allowance_exhausted"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WatchlistRescansPausedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "watchlist.rescans_resumed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The rescans of a watchlist continue. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "watchlist.rescans_resumed",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "watchlist_id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "name": "Competitors"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WatchlistRescansResumedMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "webhook.failing": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A webhook had no success for 24 hours and at least 5 failed attempts. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "webhook.failing",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "url": "https://hooks.example/shopscope"
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookFailingMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "webhook.disabled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A webhook was disabled after failed attempts; what it missed can be replayed. */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    /**
                     * @example {
                     *       "type": "webhook.disabled",
                     *       "timestamp": "2026-01-15T12:00:00.000Z",
                     *       "data": {
                     *         "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "url": "https://hooks.example/shopscope",
                     *         "reason": "The endpoint answered 410."
                     *       },
                     *       "sequence": 1042,
                     *       "environment": "live"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookDisabledMessage"];
                };
            };
            readonly responses: {
                /** @description The message was received. */
                readonly 204: {
                    headers: {
                        readonly [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        readonly Account: {
            /** @description The key of this request */
            readonly key: {
                /** @description Opaque, prefix key_ */
                readonly id: string;
                /** @description Name that the key was given */
                readonly label: string;
                /** @description Tag and first four characters of the secret; safe to log */
                readonly prefix: string;
                /** @description Open-ended; today one of: live, test. */
                readonly environment: "live" | "test" | (string & {});
                /** @description What the key may do */
                readonly scopes: readonly ("read:stores" | "read:signals" | "write:scans" | "read:watchlists" | "write:watchlists" | "read:webhooks" | "write:webhooks" | "read:jobs" | (string & {}))[];
                /** @description ISO 8601, UTC; null when the key does not expire */
                readonly expires_at: string | null;
            };
            /** @description Whom the key belongs to: usage, limits and bills are its own */
            readonly workspace: {
                /** @description Opaque, prefix ws_ */
                readonly id: string;
                /** @description Name of the workspace */
                readonly name: string;
            };
            /** @description The plan, its limits and its quotas */
            readonly plan: {
                /** @description The plan of the workspace */
                readonly slug: string;
                /** @description The limits of the plan */
                readonly limits: {
                    /** @description Simultaneous requests of one key */
                    readonly concurrency: number;
                    /** @description Domains per enrich batch */
                    readonly enrich_batch_max: number;
                    /** @description Whole days after which a profile is stale; 0: always */
                    readonly freshness_days: number;
                    /** @description Whole days that history reaches back */
                    readonly history_days: number;
                    /** @description Scans that refresh may queue in a period */
                    readonly live_refreshes_per_period: number;
                    /** @description Requests per minute of one key */
                    readonly rpm: number;
                };
                /** @description What the workspace may keep at one time */
                readonly quotas: {
                    /** @description Lists of the workspace */
                    readonly lists: number;
                    /** @description Stores in all lists together; a store in two lists counts twice */
                    readonly list_stores: number;
                    /** @description Watchlists of the workspace */
                    readonly watchlists: number;
                    /** @description Stores in all watchlists together; a store in two watchlists counts twice */
                    readonly watched_stores: number;
                    /** @description Webhook endpoints of the workspace */
                    readonly webhooks: number;
                };
            };
            readonly period: components["schemas"]["Period"];
        };
        /** @description How a request carries its key. */
        readonly Authentication: {
            /** @description The header that carries the key */
            readonly header: string;
            /**
             * Format: uri
             * @description Page where admins create and revoke keys
             */
            readonly keys_url: string;
            /**
             * @description Precedes the key: Bearer <API_KEY>
             * @constant
             */
            readonly scheme: "bearer";
        };
        /** @description Units that this call billed. */
        readonly Billed: {
            /** @description Matched and stale results */
            readonly lookup_cached: number;
            /** @description Scans that this call has queued */
            readonly lookup_live: number;
        };
        /** @description What the store sells: number of products and prices, without the products themselves. */
        readonly Catalog: {
            /**
             * Format: date-time
             * @description The scan that the figures are of. ISO 8601, UTC
             */
            readonly as_of: string;
            /** @description Products of the catalogue, as far as coverage says */
            readonly product_count: number;
            /** @description Of these, products that can be bought; null when it is not known */
            readonly available_count: number | null;
            /** @description Open-ended; today one of: first_page, full, none. `first_page`: only the first products of the catalogue were read; counts and prices are of these, unless the store itself gives the total. `full`: the whole catalogue was read. `none`: no catalogue was seen; counts and prices are 0 and mean nothing. */
            readonly coverage: "first_page" | "full" | "none" | (string & {});
            /** @description ISO 4217 code; XXX when no catalogue was seen */
            readonly currency: string;
            /** @description Prices of the products, in currency */
            readonly price_range: {
                /** @description Half of the products cost at most this */
                readonly median: number;
                /** @description A quarter of the products cost at most this */
                readonly p25: number;
                /** @description Three quarters of the products cost at most this */
                readonly p75: number;
            };
        };
        /** @description A row of a list. */
        readonly CompactStore: {
            /** @description Name of the store, in its own words */
            readonly name: string;
            /** @description Platform slug */
            readonly platform: string;
            /** @description ISO 3166-1 alpha-2; ZZ when unknown */
            readonly country: string;
            /** @description Industry slug */
            readonly industry: string;
            /** @description Open-ended; today one of: active_storefront, password_protected, redirected, parked, unreachable, closed, not_a_storefront. `active_storefront`: a shop that trades. `password_protected`: the shop is behind a password page. `redirected`: the domain leads to another site. `parked`: the domain is parked or for sale. `unreachable`: the site did not answer, or answered with an error. `closed`: the shop says that it is closed, or its page is gone. `not_a_storefront`: a site that answers and shows no shop. */
            readonly status: "active_storefront" | "password_protected" | "redirected" | "parked" | "unreachable" | "closed" | "not_a_storefront" | (string & {});
            /**
             * Format: date-time
             * @description The end of the scan that the profile is of. ISO 8601, UTC
             */
            readonly last_completed_scan_at: string;
        };
        readonly Delivery: {
            /** @description Opaque, prefix dlv_ */
            readonly id: string;
            /** @description Opaque, prefix whk_ */
            readonly webhook_id: string;
            /** @description The webhook-id of the message, the same in every attempt and replay */
            readonly event_id: string;
            /** @description Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished, usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused, watchlist.rescans_resumed, webhook.failing, webhook.disabled. */
            readonly event_type: "signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled" | (string & {});
            /** @description The sequence of the event */
            readonly sequence: number;
            /** @description Open-ended; today one of: pending, delivering, succeeded, retrying, failed. `pending`: an attempt is due: the first one, or one more after a retry or a replay. `delivering`: an attempt is in progress. `succeeded`: the last attempt got a 2xx response. `retrying`: the last attempt failed, and next_attempt_at has the next one. `failed`: there is no further attempt. */
            readonly state: "pending" | "delivering" | "succeeded" | "retrying" | "failed" | (string & {});
            /** @description The latest 30, in their order */
            readonly attempts: readonly components["schemas"]["DeliveryAttempt"][];
            readonly next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
        };
        readonly DeliveryAttempt: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly at: string;
            /** @description The HTTP status; null when no response came */
            readonly status: number | null;
            readonly error: ("dns_failure" | "dns_unavailable" | "blocked_address" | "connection_refused" | "connection_reset" | "egress_broken" | "tls_failure" | "timeout" | "invalid_response" | (string & {})) | null;
            readonly latency_ms: number;
            /** @description The first bytes of the response, at most 1,024. It is text of the receiver: escape it before it is shown */
            readonly body_excerpt: string;
        };
        readonly DeliveryPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["Delivery"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        /** @description A removal that fits a clause of the query. */
        readonly DroppedTechnology: {
            /** @description Technology slug */
            readonly technology: string;
            /** @description Opaque, prefix evt_ */
            readonly signal_id: string;
            /**
             * Format: date-time
             * @description The scan that missed it first. ISO 8601, UTC
             */
            readonly effective_at: string;
            /**
             * Format: date-time
             * @description The scan that confirmed it. ISO 8601, UTC
             */
            readonly confirmed_at: string;
        };
        /** @description A frozen view of all stores, which all callers share. Pages of one cursor are of one edition, which lasts up to 24 hours. */
        readonly Edition: {
            /** @description Opaque, prefix edn_ */
            readonly id: string;
            /**
             * Format: date-time
             * @description What it is the state of. ISO 8601, UTC
             */
            readonly built_at: string;
        };
        readonly EnrichJobResult: {
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description The external id of the store in the list when the job began; null without one */
            readonly external_id: string | null;
            /** @description The domain */
            readonly input: string;
            /**
             * @description `matched`: the store is known and its profile is fresh. `stale`: the store is known, but its last completed scan is older than plan.limits.freshness_days; store is the whole profile, and it is billed as matched. `no_match`: the domain is unknown, which does not mean that the site is not a store; free. `error`: reason says why; free.
             * @enum {string}
             */
            readonly match: "matched" | "stale" | "no_match" | "error";
            readonly reason: ("not_in_corpus" | "allowance_exhausted" | "max_units_reached" | "key_revoked" | "workspace_suspended" | "internal" | "rate_limited" | "unavailable" | (string & {})) | null;
            /** @description true: a scan of this domain was queued, or this workspace already had one */
            readonly scan_requested: boolean;
            /** @description The job of the scan, which GET /v1/jobs/{job_id} reads */
            readonly scan_job_id: string | null;
            /** @description null with no_match and error */
            readonly store: components["schemas"]["Store"] | null;
        };
        readonly EnrichRequest: {
            /** @description Hostnames or http(s) URLs; at most plan.limits.enrich_batch_max */
            readonly domains: readonly string[];
            /**
             * @description true queues a scan of every unknown or stale domain, one lookup_live each, which stays billed when the scan fails; needs the scope write:scans
             * @default false
             */
            readonly refresh: boolean;
        };
        readonly EnrichResponse: {
            /** @description Prefix req_, or the X-Request-Id that was sent */
            readonly request_id: string;
            readonly billed: components["schemas"]["Billed"];
            /** @description Same order and length as domains */
            readonly results: readonly components["schemas"]["EnrichResult"][];
        };
        readonly EnrichResult: {
            /** @description The input as sent */
            readonly input: string;
            /**
             * @description `matched`: the store is known and its profile is fresh. `stale`: the store is known, but its last completed scan is older than plan.limits.freshness_days; store is the whole profile, and it is billed as matched. `no_match`: the domain is unknown, which does not mean that the site is not a store; free. `error`: the input is not a domain; free.
             * @enum {string}
             */
            readonly match: "matched" | "stale" | "no_match" | "error";
            readonly reason: ("not_in_corpus" | "invalid_domain" | (string & {})) | null;
            /** @description true: a scan of this domain was queued, or this workspace already had one */
            readonly scan_requested: boolean;
            /** @description The job of the scan, which GET /v1/jobs/{job_id} reads */
            readonly scan_job_id: string | null;
            /** @description null with no_match and error */
            readonly store: components["schemas"]["Store"] | null;
        };
        readonly Error: {
            readonly error: {
                /** @description Open-ended; today one of: invalid_request, unauthorized, payment_required, forbidden_scope, not_found, conflict, rate_limited, internal, not_implemented, concurrency_limited, unavailable. */
                readonly code: "invalid_request" | "unauthorized" | "payment_required" | "forbidden_scope" | "not_found" | "conflict" | "rate_limited" | "internal" | "not_implemented" | "concurrency_limited" | "unavailable" | (string & {});
                readonly message: string;
                /** @description Prefix req_, or the X-Request-Id that was sent */
                readonly request_id: string;
                /**
                 * Format: date-time
                 * @description With payment_required: when the period ends
                 */
                readonly reset_at?: string;
                /** @description Open-ended; today one of: lookup_cached, lookup_live, history_query, refresh_requested. With payment_required: the unit of which too few are left. */
                readonly unit?: "lookup_cached" | "lookup_live" | "history_query" | "refresh_requested" | (string & {});
            };
        };
        readonly Event: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished, usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused, watchlist.rescans_resumed, webhook.failing, webhook.disabled. `signal.confirmed`: a signal of a store in an active watchlist was confirmed. `signal.retracted`: a confirmed signal of a store in an active watchlist was refuted by the next full scan. `scan.completed`: a scan job of the workspace has succeeded. `scan.failed`: a scan job of the workspace has failed. `job.finished`: a bulk job has ended. `usage.threshold_reached`: a percentage of a unit of the allowance is used. `key.expiring`: an API key expires in 7 days or in one day, and was made earlier than that. `watchlist.paused`: a person has paused a watchlist: neither rescans nor signals. `watchlist.resumed`: a person has made a watchlist active again. `watchlist.rescans_paused`: a watchlist has no more rescans for now; its signals continue. `watchlist.rescans_resumed`: the rescans of a watchlist continue. `webhook.failing`: a webhook had no success for 24 hours and at least 5 failed attempts. `webhook.disabled`: a webhook was disabled after failed attempts; what it missed can be replayed. */
            readonly type: "signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled" | (string & {});
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            /** @description The members depend on the type: GET /v1/event_types lists them */
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        readonly EventPage: {
            /** @description The events of this page */
            readonly data: readonly components["schemas"]["Event"][];
            /** @description The after of the next page; with order=asc never null, with order=desc always */
            readonly next_cursor: string | null;
            /** @description Whether more events follow now; a page may have fewer events than limit. With order=desc also true when older events were not examined: a page examines at most 10,000 */
            readonly has_more: boolean;
        };
        readonly EventType: {
            /** @description Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished, usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused, watchlist.rescans_resumed, webhook.failing, webhook.disabled. */
            readonly type: "signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled" | (string & {});
            /** @description What has happened */
            readonly description: string;
            /** @description The scope that reads events of this type */
            readonly scope: string;
            /** @description JSON Schema of the whole event */
            readonly schema: {
                readonly [key: string]: unknown;
            };
            readonly example: components["schemas"]["Event"];
        };
        readonly EventTypePage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["EventType"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        /** @description Lines of NDJSON, or records of CSV. */
        readonly ExportContent: string;
        /** @description A part of an export. */
        readonly ExportPart: {
            /** @description Number, from 1. The parts in their order are the file */
            readonly part: number;
            readonly rows: number;
            /** @description Of the uncompressed part */
            readonly bytes: number;
            /** @description Of the uncompressed part, hexadecimal */
            readonly sha256: string;
            /**
             * Format: uri
             * @description GET /v1/jobs/{job_id}/parts/{part}
             */
            readonly url: string;
        };
        readonly GraphqlRequest: {
            /** @description The document; at most 5,000 tokens, 50 aliases and a depth of 8 */
            readonly query: string;
            /** @description The operation to execute, if the document has several */
            readonly operationName?: string | null;
            /** @description The values of the variables; 2,000 at most */
            readonly variables?: {
                readonly [key: string]: unknown;
            } | null;
            readonly extensions?: {
                /** @description The most units that the document may bill. A document that could bill more answers 400 */
                readonly maxUnits?: {
                    readonly lookup_cached?: number;
                    readonly history_query?: number;
                };
                /** @description true answers extensions.cost only, and bills nothing */
                readonly dryRun?: boolean;
            } | null;
        };
        readonly GraphqlResponse: {
            /** @description The members that the document asks for; absent with dryRun */
            readonly data?: {
                readonly [key: string]: unknown;
            };
            readonly extensions: {
                /** @description The cost of the document */
                readonly cost: {
                    /** @description The most that the document could bill */
                    readonly requested: {
                        /** @description Profiles */
                        readonly lookup_cached: number;
                        /** @description Pages of history or signals */
                        readonly history_query: number;
                    };
                    /** @description What it has billed */
                    readonly billed: {
                        /** @description Profiles */
                        readonly lookup_cached: number;
                        /** @description Pages of history or signals */
                        readonly history_query: number;
                    };
                    /** @description The size of the document */
                    readonly nodes: {
                        /** @description The stores and rows that the document asks for */
                        readonly requested: number;
                        /** @description The most of them */
                        readonly limit: number;
                    };
                };
            };
        };
        /** @description A schema in the GraphQL schema language. */
        readonly GraphqlSchema: string;
        readonly Health: {
            /**
             * @description `ok`: all parts that requests need respond. `degraded`: requests are answered, but a part of the service does not respond.
             * @enum {string}
             */
            readonly status: "ok" | "degraded";
            /** @description Version of the contract */
            readonly version: string;
        };
        readonly History: {
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description Null on a page without rows, which is free */
            readonly observation: components["schemas"]["Observation"] | null;
            /** @description The effective_at that the pages cover, both ends inclusive; the same on every page. An empty one ends where it begins */
            readonly window: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                readonly from: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                readonly to: string;
                /** @description The plan does not reach as far back as the request */
                readonly truncated_by_plan: boolean;
            };
            /** @description Newest effective_at first, then the larger id */
            readonly data: readonly components["schemas"]["HistorySignal"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        /** @description A confirmed change of the store, or a retracted one. */
        readonly HistorySignal: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
            readonly type: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
            /** @description Technology slug; the platform's for platform_changed and status_changed */
            readonly technology: string;
            /** @description The value before: an install_state, a platform slug or a status.state; null when added */
            readonly from: string | null;
            /** @description The value after, of the same kind; null when removed */
            readonly to: string | null;
            /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
            readonly confidence: "high" | "medium" | "low" | (string & {});
            /**
             * Format: date-time
             * @description The scan that saw the change first. ISO 8601, UTC
             */
            readonly effective_at: string;
            /**
             * Format: date-time
             * @description The scan that confirmed it. ISO 8601, UTC
             */
            readonly confirmed_at: string;
            /** @description The scan that refuted the signal after its confirmation; null: it is confirmed. ISO 8601, UTC */
            readonly retracted_at: string | null;
            readonly retracted_reason: ("technology_seen_again" | "platform_seen_again" | "status_seen_again" | (string & {})) | null;
        };
        readonly HostDocument: {
            /** @description Name of the service */
            readonly name: string;
            /** @description What it does, in a sentence */
            readonly description: string;
            /**
             * Format: uri
             * @description Documentation for people
             */
            readonly documentation_url: string;
            /** @description The GraphQL endpoint */
            readonly graphql: {
                /**
                 * Format: uri
                 * @description Address of the GraphQL endpoint
                 */
                readonly url: string;
                /** @description What it needs */
                readonly access: string;
            };
            /** @description The HTTP API */
            readonly rest: {
                /**
                 * Format: uri
                 * @description Address that paths begin with
                 */
                readonly base_url: string;
                /**
                 * Format: uri
                 * @description The contract as OpenAPI document
                 */
                readonly openapi_url: string;
                /** @description Version of the contract */
                readonly version: string;
                readonly authentication: components["schemas"]["Authentication"];
            };
        };
        readonly Job: {
            /** @description Opaque, prefix job_ */
            readonly id: string;
            /** @description Open-ended; today one of: scan, enrich, replay, export. `scan`: one scan of a domain. `enrich`: the profiles of the stores of a list. `replay`: events are delivered to a webhook again. `export`: the stores of a search, as parts of a file. */
            readonly type: "scan" | "enrich" | "replay" | "export" | (string & {});
            /** @description Open-ended; today one of: queued, running, succeeded, failed, canceled. `queued`: the job waits for its turn, or for another attempt. `running`: the site is being visited, or the observation is being recorded; of an enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are being written. `succeeded`: GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its result; of a replay: every event is queued; of an export: every part is there. `failed`: error says why. `canceled`: by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its store from the watchlist. */
            readonly state: "queued" | "running" | "succeeded" | "failed" | "canceled" | (string & {});
            /** @description The domain of a scan, or null for a job with several domains */
            readonly domain: string | null;
            /** @description The progress of the job, in domains; of a replay, in events; of an export, in rows */
            readonly progress: {
                /** @description All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may be rounded or hidden */
                readonly total: number;
                /** @description Those that have a result */
                readonly done: number;
                /** @description Those whose result is an error */
                readonly failed: number;
            };
            /** @description Visits that counted; at most 3. 0 for other jobs */
            readonly attempts: number;
            /** @description What the job bills, once. A scan bills in the period of the request that made it; one that is canceled while queued bills nothing, and a request that joins it adds nothing. Of an enrichment or export: what its results so far have billed. */
            readonly billed: components["schemas"]["UsageCounters"];
            /** @description Why the job failed; null in other states */
            readonly error: components["schemas"]["JobError"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC: when the request that made it came
             */
            readonly created_at: string;
            /** @description ISO 8601, UTC: when the first visit began */
            readonly started_at: string | null;
            /** @description ISO 8601, UTC: when it reached its last state */
            readonly finished_at: string | null;
            /** @description ISO 8601, UTC: when a job that is no scan is deleted, 30 days after its end. null before its end, and of a scan, which is kept for 90 days after its end */
            readonly expires_at: string | null;
        };
        readonly JobError: {
            /** @description Open-ended; today one of: lease_lost, observation_lost, abandoned, scanner_stopping, publish_failed, scanner_fault, dns_unavailable, egress_broken, opted_out, visit_too_long, expired, rejected, unreachable, dns_failure, connection_refused, connection_reset, tls_failure, timeout, server_error, too_many_redirects, blocked_address, invalid_response, robots_disallowed, robots_unavailable, forbidden, rate_limited, not_examinable, challenged, waiting_room, consent_wall, age_wall, login_wall, interstitial_page, maintenance_page, empty_page, error_page, redirect_page, undecodable, not_html, internal, allowance_exhausted, max_units_reached, key_revoked, workspace_suspended, edition_ended. `lease_lost`: The scan failed on every attempt. The last attempt was interrupted. Asking for the scan again can help. `observation_lost`: The scan failed on every attempt. The last observation did not reach the corpus. Asking for the scan again can help. `abandoned`: The scan failed on every attempt. Asking for the scan again can help. `scanner_stopping`: The scan failed on every attempt. The last attempt was interrupted. Asking for the scan again can help. `publish_failed`: The scan failed on every attempt. The last observation could not be recorded. Asking for the scan again can help. `scanner_fault`: The scan failed on every attempt. The last attempt ended with an internal error. Asking for the scan again can help. `dns_unavailable`: No name server answered for the domain or a redirect target, so the store was not visited in time. Asking for the scan again can help later. `egress_broken`: Our access to the web was interrupted, so the store was not visited in time. Asking for the scan again can help. `opted_out`: The owner of the store, or of a site to which it redirects, does not want automatic visits. Asking for the scan again does not help until the store or its domain changes. `visit_too_long`: The store, or a site to which it redirects, needs more requests than one visit may send. Asking for the scan again does not help until the store or its domain changes. `expired`: The scan was not carried out in time. Asking for the scan again can help. `rejected`: The store could not be observed. Asking for the scan again can help. `unreachable`: The store could not be reached. Asking for the scan again can help later. `dns_failure`: The domain or a redirect target does not resolve. Asking for the scan again does not help until the store or its domain changes. `connection_refused`: The store did not accept a connection. Asking for the scan again can help later. `connection_reset`: The connection to the store was closed unexpectedly. Asking for the scan again can help later. `tls_failure`: No secure connection to the store was possible. Asking for the scan again can help later. `timeout`: The store did not respond in time. Asking for the scan again can help later. `server_error`: The store responded with a server error (HTTP 5xx). Asking for the scan again can help later. `too_many_redirects`: The store redirects in a loop or too many times. Asking for the scan again does not help until the store or its domain changes. `blocked_address`: The domain or a redirect target has a non-public address or name, or a port or scheme that is not visited. Asking for the scan again does not help until the store or its domain changes. `invalid_response`: The store sent an invalid response or an invalid redirect. Asking for the scan again can help later. `robots_disallowed`: The store's robots.txt does not allow the visit. Asking for the scan again does not help until the store or its domain changes. `robots_unavailable`: The store's robots.txt could not be read, so the store was not visited. Asking for the scan again can help later. `forbidden`: The store denied access (HTTP 401, 403 or 451). Asking for the scan again does not help until the store or its domain changes. `rate_limited`: The store responded with HTTP 429 (too many requests). Asking for the scan again can help later. `not_examinable`: The store sent contents that need too much time or memory to examine. Asking for the scan again does not help until the store or its domain changes. `challenged`: A bot protection asked the visitor for a proof in place of the store. The scan was carried out and stays billed. Another scan may help after some days. Asking for the scan again can help later. `waiting_room`: A waiting room answered in place of the store. The scan was carried out and stays billed. Another scan may help after some hours. Asking for the scan again can help later. `consent_wall`: A page that asks for consent answered in place of the store. The scan was carried out and stays billed. Another scan helps only when the store has changed this. Asking for the scan again does not help until the store or its domain changes. `age_wall`: A page that asks for the age of the visitor answered in place of the store. The scan was carried out and stays billed. Another scan helps only when the store has changed this. Asking for the scan again does not help until the store or its domain changes. `login_wall`: A page that asks for an account answered in place of the store. The scan was carried out and stays billed. Another scan helps only when the store has changed this. Asking for the scan again does not help until the store or its domain changes. `interstitial_page`: A page of another site, with a return URL to the store, answered in place of the store. The scan was carried out and stays billed. Another scan may help after some days. Asking for the scan again can help later. `maintenance_page`: The store says that it opens soon, or comes back. The scan was carried out and stays billed. Another scan may help after some hours. Asking for the scan again can help later. `empty_page`: The store answered with an empty page. The scan was carried out and stays billed. Another scan may help after some hours. Asking for the scan again can help later. `error_page`: An error text, or the default page of a server, answered in place of the store. The scan was carried out and stays billed. Another scan may help after some hours. Asking for the scan again can help later. `redirect_page`: The store answered with a page that only leads to another address. The scan was carried out and stays billed. Another scan helps only when the store has changed this. Asking for the scan again does not help until the store or its domain changes. `undecodable`: The store answered in an encoding that it does not declare, or with binary contents. The scan was carried out and stays billed. Another scan may help after some days. Asking for the scan again can help later. `not_html`: The store answered with something else than a web page. The scan was carried out and stays billed. Another scan may help after some days. Asking for the scan again can help later. `internal`: The job could not continue.. `allowance_exhausted`: The allowance ended before the job did. What is done stays.. `max_units_reached`: The job reached its bound of units. What is done stays.. `key_revoked`: The key that started the job was revoked, expired or lost a scope. What is done stays.. `workspace_suspended`: The workspace was suspended. What is done stays.. `edition_ended`: The view of the stores that the job read has ended. What is done stays.. */
            readonly code: "lease_lost" | "observation_lost" | "abandoned" | "scanner_stopping" | "publish_failed" | "scanner_fault" | "dns_unavailable" | "egress_broken" | "opted_out" | "visit_too_long" | "expired" | "rejected" | "unreachable" | "dns_failure" | "connection_refused" | "connection_reset" | "tls_failure" | "timeout" | "server_error" | "too_many_redirects" | "blocked_address" | "invalid_response" | "robots_disallowed" | "robots_unavailable" | "forbidden" | "rate_limited" | "not_examinable" | "challenged" | "waiting_room" | "consent_wall" | "age_wall" | "login_wall" | "interstitial_page" | "maintenance_page" | "empty_page" | "error_page" | "redirect_page" | "undecodable" | "not_html" | "internal" | "allowance_exhausted" | "max_units_reached" | "key_revoked" | "workspace_suspended" | "edition_ended" | (string & {});
            /** @description What happened, as a sentence; its wording may change */
            readonly message: string;
        };
        /** @description A bulk job has ended. */
        readonly JobFinishedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "job.finished";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
                /** @description Open-ended; today one of: scan, enrich, replay, export. `scan`: one scan of a domain. `enrich`: the profiles of the stores of a list. `replay`: events are delivered to a webhook again. `export`: the stores of a search, as parts of a file. */
                readonly type: "scan" | "enrich" | "replay" | "export" | (string & {});
                /** @description Open-ended; today one of: queued, running, succeeded, failed, canceled. `queued`: the job waits for its turn, or for another attempt. `running`: the site is being visited, or the observation is being recorded; of an enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are being written. `succeeded`: GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its result; of a replay: every event is queued; of an export: every part is there. `failed`: error says why. `canceled`: by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its store from the watchlist. */
                readonly state: "queued" | "running" | "succeeded" | "failed" | "canceled" | (string & {});
                /** @description The progress of the job, in domains; of a replay, in events; of an export, in rows */
                readonly progress: {
                    /** @description All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may be rounded or hidden */
                    readonly total: number;
                    /** @description Those that have a result */
                    readonly done: number;
                    /** @description Those whose result is an error */
                    readonly failed: number;
                };
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC: when the job has ended
                 */
                readonly finished_at: string;
            };
        };
        readonly JobFinishedMessage: {
            /** @constant */
            readonly type: "job.finished";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix job_ */
                readonly job_id?: string;
                /** @description Open-ended; today one of: scan, enrich, replay, export. `scan`: one scan of a domain. `enrich`: the profiles of the stores of a list. `replay`: events are delivered to a webhook again. `export`: the stores of a search, as parts of a file. */
                readonly type?: "scan" | "enrich" | "replay" | "export" | (string & {});
                /** @description Open-ended; today one of: queued, running, succeeded, failed, canceled. `queued`: the job waits for its turn, or for another attempt. `running`: the site is being visited, or the observation is being recorded; of an enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are being written. `succeeded`: GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its result; of a replay: every event is queued; of an export: every part is there. `failed`: error says why. `canceled`: by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its store from the watchlist. */
                readonly state?: "queued" | "running" | "succeeded" | "failed" | "canceled" | (string & {});
                /** @description The progress of the job, in domains; of a replay, in events; of an export, in rows */
                readonly progress?: {
                    /** @description All domains, events or rows of the job. Of an export that has not succeeded, the total of a count, which may be rounded or hidden */
                    readonly total: number;
                    /** @description Those that have a result */
                    readonly done: number;
                    /** @description Those whose result is an error */
                    readonly failed: number;
                };
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC: when the job has ended
                 */
                readonly finished_at?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly JobPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["Job"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly JobResult: components["schemas"]["EnrichJobResult"] | components["schemas"]["ScanJobResult"] | components["schemas"]["ExportPart"];
        readonly JobResults: {
            /** @description The results that exist, in the order of the domains. A scan has one ScanJobResult after it has succeeded or failed. An enrichment has an EnrichJobResult for each store that is done, and an export an ExportPart for each part, even while the job is running. */
            readonly data: readonly components["schemas"]["JobResult"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        /** @description An API key expires in 7 days or in one day, and was made earlier than that. */
        readonly KeyExpiringEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "key.expiring";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix key_ */
                readonly key_id: string;
                /** @description 7 or 1 */
                readonly days_left: number;
                /**
                 * Format: date-time
                 * @description When the key expires. ISO 8601, UTC
                 */
                readonly expires_at: string;
            };
        };
        readonly KeyExpiringMessage: {
            /** @constant */
            readonly type: "key.expiring";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix key_ */
                readonly key_id?: string;
                /** @description 7 or 1 */
                readonly days_left?: number;
                /**
                 * Format: date-time
                 * @description When the key expires. ISO 8601, UTC
                 */
                readonly expires_at?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly List: {
            /** @description Opaque, prefix lst_ */
            readonly id: string;
            readonly name: string;
            /** @description Its stores */
            readonly store_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the latest change of its members or of its stores
             */
            readonly updated_at: string;
        };
        readonly ListCreate: {
            readonly name: string;
        };
        readonly ListEnrichQuote: {
            /** @description Stores with a fresh profile */
            readonly matched: number;
            /** @description Stores with a stale profile */
            readonly stale: number;
            /** @description Stores without a profile */
            readonly unknown: number;
            /** @description What the job would bill now */
            readonly quote: components["schemas"]["UsageCounters"];
        };
        readonly ListEnrichRequest: {
            /**
             * @description true queues a scan of every unknown or stale store, one lookup_live each; needs the scope write:scans
             * @default false
             */
            readonly refresh: boolean;
            /** @description The most units that the job may bill, of all kinds together. A larger quote answers 400 */
            readonly max_units?: number;
            /** @description true answers what the job would bill, and starts none */
            readonly dry_run?: boolean;
        };
        readonly ListPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["List"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly ListUpdate: {
            readonly name?: string;
        };
        /** @description A technology that fits a clause of the query. */
        readonly MatchedTechnology: {
            /** @description Technology slug */
            readonly technology: string;
            /** @description Open-ended; today one of: configured, active, inactive. `configured`: loaded or set up, but never seen working. `active`: seen working. `inactive`: was active before, is still set up, and is no longer seen working. */
            readonly install_state: "configured" | "active" | "inactive" | (string & {});
            /** @description Open-ended; today one of: observed, at_first_scan. `observed`: an earlier scan did not see it. `at_first_scan`: the first scan of the store saw it, so it may be older. */
            readonly since: "observed" | "at_first_scan" | (string & {});
            /**
             * Format: date-time
             * @description The scan that saw it first since it was absent. ISO 8601, UTC
             */
            readonly first_observed_at: string;
            /**
             * Format: date-time
             * @description The latest scan that saw it. ISO 8601, UTC
             */
            readonly last_confirmed_at: string;
        };
        readonly MemberStore: {
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description Your own id of the store; null without one */
            readonly external_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly added_at: string;
        };
        readonly MemberStorePage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["MemberStore"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        /** @description The latest completed scan, and what it could see. */
        readonly Observation: {
            /** @description What could not be seen or is not listed (always with scope partial), that the name is only the domain, what was looked at, and which changes are not confirmed yet and from when a scan can confirm them; in words */
            readonly coverage_note: string | null;
            /**
             * Format: date-time
             * @description The end of the scan that the profile is of. ISO 8601, UTC
             */
            readonly last_completed_scan_at: string;
            /** @description Open-ended; today one of: full, partial. `full`: the home page was seen completely and the listing was tried; coverage_note names what else was looked at; a technology that is not listed may be treated as absent. `partial`: a part could not be seen or is not listed, and coverage_note says which; a technology that is not listed may still be there. */
            readonly scope: "full" | "partial" | (string & {});
        };
        /** @description This document. */
        readonly OpenapiDocument: {
            /** @description Version of the OpenAPI format */
            readonly openapi: string;
            /** @description What the document is about */
            readonly info: {
                /** @description Name of the service */
                readonly title: string;
                /** @description Version of the contract */
                readonly version: string;
            } & {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /** @description The billing period: a calendar month in UTC. */
        readonly Period: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly starts_at: string;
            /**
             * Format: date-time
             * @description When used begins again with 0. ISO 8601, UTC
             */
            readonly ends_at: string;
            /** @description The plan's allowance */
            readonly included: components["schemas"]["UsageCounters"];
            /** @description What was used, updated within five minutes */
            readonly used: components["schemas"]["UsageCounters"];
        };
        readonly RelatedResource: {
            /** @description Open-ended; today one of: store, job, watchlist, webhook. */
            readonly type: "store" | "job" | "watchlist" | "webhook" | (string & {});
            /** @description The id of the resource */
            readonly id: string;
            /**
             * Format: uri
             * @description Where the resource is read
             */
            readonly url: string;
        };
        /** @description A scan job of the workspace has succeeded. */
        readonly ScanCompletedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "scan.completed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC: when the job has ended
                 */
                readonly finished_at: string;
            };
        };
        readonly ScanCompletedMessage: {
            /** @constant */
            readonly type: "scan.completed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix job_ */
                readonly job_id?: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain?: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC: when the job has ended
                 */
                readonly finished_at?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        /** @description A scan job of the workspace has failed. */
        readonly ScanFailedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "scan.failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC: when the job has ended
                 */
                readonly finished_at: string;
                /** @description Why the job failed */
                readonly error: components["schemas"]["JobError"];
            };
        };
        readonly ScanFailedMessage: {
            /** @constant */
            readonly type: "scan.failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix job_ */
                readonly job_id?: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain?: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC: when the job has ended
                 */
                readonly finished_at?: string;
                /** @description Why the job failed */
                readonly error?: components["schemas"]["JobError"];
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly ScanJobResult: {
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description Open-ended; today one of: succeeded, failed. How its scan ended. */
            readonly state: "succeeded" | "failed" | (string & {});
            /** @description Why it failed; null when it succeeded */
            readonly error: components["schemas"]["JobError"] | null;
        };
        /** @description Units that this call billed. */
        readonly SearchBilled: {
            /** @description Rows of this page */
            readonly lookup_cached: number;
            /** @description 1 with dropped or moved */
            readonly history_query: number;
        };
        readonly ServiceIndex: {
            readonly authentication: components["schemas"]["Authentication"];
            /**
             * Format: uri
             * @description Documentation for people
             */
            readonly documentation_url: string;
            /** @description Operation id to URL template; placeholders in braces are path parameters */
            readonly endpoints: {
                readonly [key: string]: string;
            };
            /**
             * Format: uri
             * @description The contract as OpenAPI document
             */
            readonly openapi_url: string;
            /** @description Version of the contract */
            readonly version: string;
        };
        /** @description A confirmed change. */
        readonly Signal: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
            readonly type: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
            /** @description Technology slug; the platform's for platform_changed and status_changed */
            readonly technology: string;
            /** @description The value before: an install_state, a platform slug or a status.state; null when added */
            readonly from: string | null;
            /** @description The value after, of the same kind; null when removed */
            readonly to: string | null;
            /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
            readonly confidence: "high" | "medium" | "low" | (string & {});
            /**
             * Format: date-time
             * @description The scan that saw the change first. ISO 8601, UTC
             */
            readonly effective_at: string;
            /**
             * Format: date-time
             * @description The scan that confirmed it. ISO 8601, UTC
             */
            readonly confirmed_at: string;
        };
        /** @description A signal of a store in an active watchlist was confirmed. */
        readonly SignalConfirmedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "signal.confirmed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix evt_ */
                readonly id: string;
                /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
                readonly type: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
                /** @description Technology slug; the platform's for platform_changed and status_changed */
                readonly technology: string;
                /** @description The value before: an install_state, a platform slug or a status.state; null when added */
                readonly from: string | null;
                /** @description The value after, of the same kind; null when removed */
                readonly to: string | null;
                /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
                readonly confidence: "high" | "medium" | "low" | (string & {});
                /**
                 * Format: date-time
                 * @description The scan that saw the change first. ISO 8601, UTC
                 */
                readonly effective_at: string;
                /**
                 * Format: date-time
                 * @description The scan that confirmed it. ISO 8601, UTC
                 */
                readonly confirmed_at: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain: string;
                /** @description Opaque, prefix sf_ */
                readonly storefront_id: string;
                /** @description The ids that the workspace has given the store in these watchlists */
                readonly external_ids: readonly string[];
                /** @description The active watchlists of the workspace that have the store */
                readonly watchlist_ids: readonly string[];
            };
        };
        readonly SignalConfirmedMessage: {
            /** @constant */
            readonly type: "signal.confirmed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix evt_ */
                readonly id?: string;
                /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
                readonly type?: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
                /** @description Technology slug; the platform's for platform_changed and status_changed */
                readonly technology?: string;
                /** @description The value before: an install_state, a platform slug or a status.state; null when added */
                readonly from?: string | null;
                /** @description The value after, of the same kind; null when removed */
                readonly to?: string | null;
                /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
                readonly confidence?: "high" | "medium" | "low" | (string & {});
                /**
                 * Format: date-time
                 * @description The scan that saw the change first. ISO 8601, UTC
                 */
                readonly effective_at?: string;
                /**
                 * Format: date-time
                 * @description The scan that confirmed it. ISO 8601, UTC
                 */
                readonly confirmed_at?: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain?: string;
                /** @description Opaque, prefix sf_ */
                readonly storefront_id?: string;
                /** @description The ids that the workspace has given the store in these watchlists */
                readonly external_ids?: readonly string[];
                /** @description The active watchlists of the workspace that have the store */
                readonly watchlist_ids?: readonly string[];
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly SignalPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["StoreSignal"][];
            /** @description The cursor of the next page; null on the last one. With order=asc never null: it is the resume point */
            readonly next_cursor: string | null;
            /** @description The next page may have rows already. With order=asc false: ask for it later */
            readonly has_more: boolean;
        };
        /** @description A confirmed signal of a store in an active watchlist was refuted by the next full scan. */
        readonly SignalRetractedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "signal.retracted";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix evt_ */
                readonly id: string;
                /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
                readonly type: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
                /** @description Technology slug; the platform's for platform_changed and status_changed */
                readonly technology: string;
                /** @description The value before: an install_state, a platform slug or a status.state; null when added */
                readonly from: string | null;
                /** @description The value after, of the same kind; null when removed */
                readonly to: string | null;
                /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
                readonly confidence: "high" | "medium" | "low" | (string & {});
                /**
                 * Format: date-time
                 * @description The scan that saw the change first. ISO 8601, UTC
                 */
                readonly effective_at: string;
                /**
                 * Format: date-time
                 * @description The scan that confirmed it. ISO 8601, UTC
                 */
                readonly confirmed_at: string;
                /**
                 * Format: date-time
                 * @description The scan that refuted the signal. ISO 8601, UTC
                 */
                readonly retracted_at: string;
                /** @description Open-ended; today one of: technology_seen_again, platform_seen_again, status_seen_again. `technology_seen_again`: the next full scan saw the technology, so it was not removed; its entry is as before. `platform_seen_again`: the next full scan saw the platform before the change; its entry is as before. `status_seen_again`: the next full scan saw the status before the change. */
                readonly retracted_reason: "technology_seen_again" | "platform_seen_again" | "status_seen_again" | (string & {});
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain: string;
                /** @description Opaque, prefix sf_ */
                readonly storefront_id: string;
                /** @description The ids that the workspace has given the store in these watchlists */
                readonly external_ids: readonly string[];
                /** @description The active watchlists of the workspace that have the store */
                readonly watchlist_ids: readonly string[];
            };
        };
        readonly SignalRetractedMessage: {
            /** @constant */
            readonly type: "signal.retracted";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix evt_ */
                readonly id?: string;
                /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
                readonly type?: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
                /** @description Technology slug; the platform's for platform_changed and status_changed */
                readonly technology?: string;
                /** @description The value before: an install_state, a platform slug or a status.state; null when added */
                readonly from?: string | null;
                /** @description The value after, of the same kind; null when removed */
                readonly to?: string | null;
                /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
                readonly confidence?: "high" | "medium" | "low" | (string & {});
                /**
                 * Format: date-time
                 * @description The scan that saw the change first. ISO 8601, UTC
                 */
                readonly effective_at?: string;
                /**
                 * Format: date-time
                 * @description The scan that confirmed it. ISO 8601, UTC
                 */
                readonly confirmed_at?: string;
                /**
                 * Format: date-time
                 * @description The scan that refuted the signal. ISO 8601, UTC
                 */
                readonly retracted_at?: string;
                /** @description Open-ended; today one of: technology_seen_again, platform_seen_again, status_seen_again. `technology_seen_again`: the next full scan saw the technology, so it was not removed; its entry is as before. `platform_seen_again`: the next full scan saw the platform before the change; its entry is as before. `status_seen_again`: the next full scan saw the status before the change. */
                readonly retracted_reason?: "technology_seen_again" | "platform_seen_again" | "status_seen_again" | (string & {});
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain?: string;
                /** @description Opaque, prefix sf_ */
                readonly storefront_id?: string;
                /** @description The ids that the workspace has given the store in these watchlists */
                readonly external_ids?: readonly string[];
                /** @description The active watchlists of the workspace that have the store */
                readonly watchlist_ids?: readonly string[];
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        /** @description What is known of a web store from completed observations. */
        readonly Store: {
            /** @description Opaque, prefix bg_ */
            readonly brand_group_id: string;
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description Host that serves the shop; equal to domain when it is the same */
            readonly storefront_host: string;
            /** @description Opaque, prefix sf_ */
            readonly storefront_id: string;
            /** @description Name of the store, in its own words */
            readonly name: string;
            /**
             * Format: uri
             * @description Public page of the profile, for people
             */
            readonly profile_url: string;
            readonly catalog: components["schemas"]["Catalog"];
            /** @description Where the store is */
            readonly geography: {
                /** @description Open-ended; today one of: observed, declared, inferred, unknown. `declared`: the store states the country itself, for example in the address of its structured data. `observed`: the country was seen in the store's pages or settings. `inferred`: concluded from the domain ending, a phone number, the currency or the language. `unknown`: nothing was seen; country is ZZ. */
                readonly basis: "observed" | "declared" | "inferred" | "unknown" | (string & {});
                /** @description ISO 3166-1 alpha-2, and XK for Kosovo; ZZ when unknown */
                readonly country: string;
            };
            /** @description What kind of things the store sells */
            readonly industry: {
                /** @description Open-ended; today one of: classified, declared, unknown. `classified`: concluded from the words of the store's pages and products. `declared`: the store states the industry itself. `unknown`: too little was seen; slug is unclassified. */
                readonly basis: "classified" | "declared" | "unknown" | (string & {});
                /** @description The industry; unclassified when it is not known */
                readonly slug: string;
            };
            readonly observation: components["schemas"]["Observation"];
            /** @description The software that runs the shop */
            readonly platform: {
                /** @description Name of the platform */
                readonly name: string;
                /** @description Platform slug of the vocabulary; custom for a shop on no known platform */
                readonly slug: string;
                /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
                readonly confidence: "high" | "medium" | "low" | (string & {});
                /**
                 * Format: date-time
                 * @description The scan that saw it first. ISO 8601, UTC
                 */
                readonly first_observed_at: string;
                /**
                 * Format: date-time
                 * @description The latest scan that saw it. ISO 8601, UTC
                 */
                readonly last_confirmed_at: string;
            };
            /** @description Whether the shop trades */
            readonly status: {
                /** @description Open-ended; today one of: active_storefront, password_protected, redirected, parked, unreachable, closed, not_a_storefront. `active_storefront`: a shop that trades. `password_protected`: the shop is behind a password page. `redirected`: the domain leads to another site. `parked`: the domain is parked or for sale. `unreachable`: the site did not answer, or answered with an error. `closed`: the shop says that it is closed, or its page is gone. `not_a_storefront`: a site that answers and shows no shop. */
                readonly state: "active_storefront" | "password_protected" | "redirected" | "parked" | "unreachable" | "closed" | "not_a_storefront" | (string & {});
                /**
                 * Format: date-time
                 * @description The scan that the state is of. ISO 8601, UTC
                 */
                readonly as_of: string;
            };
            /** @description What the store uses: apps, services and themes */
            readonly technologies: readonly components["schemas"]["StoreTechnology"][];
            /** @description The last five confirmed signals, newest first; a retracted one leaves the list */
            readonly recent_signals: readonly components["schemas"]["Signal"][];
        };
        /** @description A number of stores. */
        readonly StoreAmount: {
            readonly value: number;
            /** @description Open-ended; today one of: eq, lt, approx. `eq`: exactly value. `lt`: less than value: small numbers are hidden. `approx`: value is rounded to tens, because the query names a list. */
            readonly relation: "eq" | "lt" | "approx" | (string & {});
        };
        readonly StoreCount: {
            /** @description Prefix req_, or the X-Request-Id that was sent */
            readonly request_id: string;
            readonly billed: components["schemas"]["SearchBilled"];
            readonly edition: components["schemas"]["Edition"];
            /** @description The query as applied: with its defaults, present slugs and whole UTC days. Sent again, it is the same query */
            readonly where: {
                readonly [key: string]: unknown;
            };
            /** @description The days that dropped and moved cover; absent without them */
            readonly window?: {
                /**
                 * Format: date-time
                 * @description The first day. ISO 8601, UTC
                 */
                readonly from: string;
                /** @description The plan does not reach as far back as the request */
                readonly truncated_by_plan: boolean;
            };
            /** @description The stores that match */
            readonly total: components["schemas"]["StoreAmount"];
            /** @description Stores that are left out. Empty when the total is hidden */
            readonly not_judged: {
                /** @description Stores that fit all but a clause with none, which their partial scans do not prove */
                readonly scope_partial?: components["schemas"]["StoreAmount"];
            };
            /** @description What all rows would bill, in pages of 50. Empty when the total is hidden */
            readonly quote: {
                readonly lookup_cached?: number;
                readonly history_query?: number;
            };
            /** @description What is left of the period. Empty while it is not known */
            readonly left: {
                readonly lookup_cached?: number;
                readonly history_query?: number;
            };
            /** @description In the order of the request, within the whole where. Empty when the total is hidden */
            readonly facets: readonly {
                /** @description As in the request */
                readonly field: string;
                /** @description Those with most stores first, months latest first. Values with few stores are left out */
                readonly values: readonly {
                    readonly value: string;
                    readonly stores: number;
                }[];
                /** @description Stores with another value; null when it is hidden, or a store can have several values */
                readonly other: number | null;
                /** @description Stores whose value is not known; null when it is hidden */
                readonly unknown: number | null;
            }[];
            /** @description Some of the stores. None with a list */
            readonly sample: readonly {
                /** @description Masked: its first letters and its suffix */
                readonly domain: string;
            }[];
        };
        readonly StoreCountRequest: {
            readonly where?: components["schemas"]["StoreWhere"];
            /**
             * @description What to count the stores by
             * @default []
             */
            readonly facets: readonly string[];
            /**
             * @description Values of a facet: those with most stores, and of months the latest
             * @default 10
             */
            readonly facet_size: number;
        };
        readonly StoreExportRequest: {
            readonly where?: components["schemas"]["StoreWhere"];
            /**
             * @description Stores with equal values are ordered by storefront_id
             * @default domain
             * @enum {string}
             */
            readonly sort: "domain" | "-last_completed_scan_at" | "-product_count" | "-last_changed_at";
            /**
             * @description `ndjson`: one row of a search per line. `csv`: RFC 4180, UTF-8, with a header in part 1
             * @default ndjson
             * @enum {string}
             */
            readonly format: "ndjson" | "csv";
            /** @description Only with csv: paths of a row, or a preset. `hubspot` and `salesforce`: the columns that the vendor imports as companies or accounts. Default: `default` */
            readonly columns?: ("default" | "hubspot" | "salesforce") | readonly ("domain" | "storefront_id" | "matched" | "dropped" | "changed_since_edition" | "store.name" | "store.storefront_host" | "store.profile_url" | "store.brand_group_id" | "store.platform.slug" | "store.platform.name" | "store.platform.confidence" | "store.platform.first_observed_at" | "store.platform.last_confirmed_at" | "store.geography.country" | "store.geography.basis" | "store.industry.slug" | "store.industry.basis" | "store.status.state" | "store.status.as_of" | "store.catalog.product_count" | "store.catalog.available_count" | "store.catalog.coverage" | "store.catalog.currency" | "store.catalog.price_range.p25" | "store.catalog.price_range.median" | "store.catalog.price_range.p75" | "store.catalog.as_of" | "store.technologies" | "store.recent_signals" | "store.observation.scope" | "store.observation.coverage_note" | "store.observation.last_completed_scan_at")[];
            /**
             * @description The most rows of the export. If more stores match, the response is 400
             * @default 100000
             */
            readonly max_rows: number;
            /** @description The request is refused with 400 if it would bill more */
            readonly max_units?: {
                readonly lookup_cached?: number;
                readonly history_query?: number;
            };
        };
        readonly StorePage: {
            /** @description Prefix req_, or the X-Request-Id that was sent */
            readonly request_id: string;
            readonly billed: components["schemas"]["SearchBilled"];
            readonly edition: components["schemas"]["Edition"];
            /** @description The query as applied: with its defaults, present slugs and whole UTC days. Sent again, it is the same query */
            readonly where: {
                readonly [key: string]: unknown;
            };
            /** @description The days that dropped and moved cover; absent without them */
            readonly window?: {
                /**
                 * Format: date-time
                 * @description The first day. ISO 8601, UTC
                 */
                readonly from: string;
                /** @description The plan does not reach as far back as the request */
                readonly truncated_by_plan: boolean;
            };
            /** @description The rows of this page. It may have fewer than limit, also none, before the last one */
            readonly data: readonly components["schemas"]["StoreRow"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly StoreResponse: {
            /**
             * @description matched also when the profile is stale
             * @constant
             */
            readonly match: "matched";
            readonly store: components["schemas"]["Store"];
        };
        readonly StoreRow: {
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description Opaque, prefix sf_ */
            readonly storefront_id: string;
            /** @description For each clause with all or any, the technologies that fit it */
            readonly matched: readonly components["schemas"]["MatchedTechnology"][];
            /** @description The removals that fit a clause of dropped, newest first */
            readonly dropped: readonly components["schemas"]["DroppedTechnology"][];
            /** @description The store does not match the query any more */
            readonly changed_since_edition: boolean;
            /** @description The store as it is now; with view compact, a CompactStore */
            readonly store: components["schemas"]["Store"] | components["schemas"]["CompactStore"];
        };
        readonly StoresAdd: {
            /** @description In place of domains */
            readonly stores?: readonly {
                /** @description A host name or an http(s) URL */
                readonly domain: string;
                /** @description Your own id of the store. Absent: a store that is present keeps its id. null: it loses its id. The id must be in Unicode NFC, without spaces at its ends, two spaces in a row or invisible characters. An id that breaks this rule refuses the whole call. */
                readonly external_id?: string | null;
            }[];
            /** @description Host names or http(s) URLs, in place of stores */
            readonly domains?: readonly string[];
        };
        readonly StoresAdded: {
            /** @description Same order and length as the request */
            readonly results: readonly {
                /** @description The input as sent */
                readonly input: string;
                /** @description null with invalid_domain */
                readonly domain: string | null;
                /** @description Open-ended; today one of: added, present, invalid_domain. `added`: the store is new. `present`: the list or watchlist had the store already. If the request has an external_id, the store has it now. `invalid_domain`: the input has no registrable domain. */
                readonly result: "added" | "present" | "invalid_domain" | (string & {});
            }[];
        };
        readonly StoreSearchRequest: {
            readonly where?: components["schemas"]["StoreWhere"];
            /**
             * @description Stores with equal values are ordered by storefront_id
             * @default domain
             * @enum {string}
             */
            readonly sort: "domain" | "-last_completed_scan_at" | "-product_count" | "-last_changed_at";
            /**
             * @description `compact`: fewer members of each store, at the same price
             * @default full
             * @enum {string}
             */
            readonly view: "full" | "compact";
            /**
             * @description Rows of a page
             * @default 50
             */
            readonly limit: number;
            /**
             * @description next_cursor of the page before
             * @default null
             */
            readonly cursor: string | null;
            /** @description The request is refused with 400 if it would bill more */
            readonly max_units?: {
                readonly lookup_cached?: number;
                readonly history_query?: number;
            };
        };
        readonly StoreSignal: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable. */
            readonly type: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {});
            /** @description Technology slug; the platform's for platform_changed and status_changed */
            readonly technology: string;
            /** @description The value before: an install_state, a platform slug or a status.state; null when added */
            readonly from: string | null;
            /** @description The value after, of the same kind; null when removed */
            readonly to: string | null;
            /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
            readonly confidence: "high" | "medium" | "low" | (string & {});
            /**
             * Format: date-time
             * @description The scan that saw the change first. ISO 8601, UTC
             */
            readonly effective_at: string;
            /**
             * Format: date-time
             * @description The scan that confirmed it. ISO 8601, UTC
             */
            readonly confirmed_at: string;
            /** @description The scan that refuted the signal after its confirmation; null: it is confirmed. ISO 8601, UTC */
            readonly retracted_at: string | null;
            readonly retracted_reason: ("technology_seen_again" | "platform_seen_again" | "status_seen_again" | (string & {})) | null;
            /** @description Canonical registrable domain, A-labels, lower case */
            readonly domain: string;
            /** @description Opaque, prefix sf_ */
            readonly storefront_id: string;
        };
        readonly StoresRemove: {
            readonly domains: readonly string[];
        };
        readonly StoresRemoved: {
            /** @description Same order and length as the request */
            readonly results: readonly {
                /** @description The input as sent */
                readonly input: string;
                /** @description null with invalid_domain */
                readonly domain: string | null;
                /** @description Open-ended; today one of: removed, absent, invalid_domain. `removed`: the store was removed. `absent`: the list or watchlist did not have the store. `invalid_domain`: the input has no registrable domain. */
                readonly result: "removed" | "absent" | "invalid_domain" | (string & {});
            }[];
        };
        /** @description A technology that the store uses. */
        readonly StoreTechnology: {
            /** @description Category slug of the vocabulary */
            readonly category: string;
            /** @description Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom. */
            readonly confidence: "high" | "medium" | "low" | (string & {});
            /**
             * Format: date-time
             * @description The scan that saw it first since it was absent. ISO 8601, UTC
             */
            readonly first_observed_at: string;
            /** @description Open-ended; today one of: configured, active, inactive. `configured`: loaded or set up, but never seen working. `active`: seen working. `inactive`: was active before, is still set up, and is no longer seen working. */
            readonly install_state: "configured" | "active" | "inactive" | (string & {});
            /**
             * Format: date-time
             * @description The latest scan that saw it. ISO 8601, UTC
             */
            readonly last_confirmed_at: string;
            /** @description Name of the vocabulary; of a theme that it lacks, the name that the store uses */
            readonly name: string;
            /** @description Canonical identifier; custom-theme for a theme that the vocabulary lacks */
            readonly slug: string;
        };
        /** @description Which stores: the members are ANDed. An empty one matches every active store. */
        readonly StoreWhere: {
            /** @description Platform of the store; `custom` for a shop on no known platform */
            readonly platform?: {
                /** @description The store has one of these values */
                readonly any?: readonly string[];
                /** @description The store has none of these values */
                readonly none?: readonly string[];
            };
            /** @description Country of the store; `ZZ` when it is not known */
            readonly country?: {
                /** @description The store has one of these values */
                readonly any?: readonly string[];
                /** @description The store has none of these values */
                readonly none?: readonly string[];
            };
            /** @description Industry of the store; `unclassified` when it is not known */
            readonly industry?: {
                /** @description The store has one of these values */
                readonly any?: readonly string[];
                /** @description The store has none of these values */
                readonly none?: readonly string[];
            };
            /** @description Status of the store; by default only active_storefront */
            readonly status?: {
                /** @description The store has one of these values */
                readonly any?: readonly ("active_storefront" | "password_protected" | "redirected" | "parked" | "unreachable" | "closed" | "not_a_storefront")[];
                /** @description The store has none of these values */
                readonly none?: readonly ("active_storefront" | "password_protected" | "redirected" | "parked" | "unreachable" | "closed" | "not_a_storefront")[];
            };
            /** @description Technologies of the profile */
            readonly technologies?: readonly {
                /** @description The store has each of these technologies */
                readonly all?: readonly string[];
                /** @description The store has one of these technologies, or one of the category or kind */
                readonly any?: readonly string[] | {
                    /** @description Technologies of this category, or of one of these */
                    readonly category?: string | readonly string[];
                    /** @description Technologies of this kind, or of one of these */
                    readonly kind?: ("app" | "service" | "theme") | readonly ("app" | "service" | "theme")[];
                };
                /** @description The store has none of these technologies, or none of the category or kind */
                readonly none?: readonly string[] | {
                    /** @description Technologies of this category, or of one of these */
                    readonly category?: string | readonly string[];
                    /** @description Technologies of this kind, or of one of these */
                    readonly kind?: ("app" | "service" | "theme") | readonly ("app" | "service" | "theme")[];
                };
                /** @description The technology is in one of these states */
                readonly install_state?: readonly ("configured" | "active" | "inactive")[];
                /**
                 * @description The technology is detected with at least this confidence
                 * @enum {string}
                 */
                readonly confidence_min?: "high" | "medium" | "low";
                /** @description When a scan saw the technology first */
                readonly first_observed?: {
                    /**
                     * Format: date-time
                     * @description First day, inclusive. A time means its UTC day. ISO 8601, UTC
                     */
                    readonly from?: string;
                    /**
                     * Format: date-time
                     * @description Last day, inclusive. A time means its UTC day. ISO 8601, UTC
                     */
                    readonly to?: string;
                };
                /** @description Default true: `first_observed` does not match technologies that the first scan of the store saw, because they may be older. false: it matches them by the day of that scan */
                readonly since_known?: boolean;
            }[];
            /** @description Needs the scope read:signals too */
            readonly dropped?: readonly {
                /** @description The store has each of these technologies */
                readonly all?: readonly string[];
                /** @description The store has one of these technologies, or one of the category or kind */
                readonly any?: readonly string[] | {
                    /** @description Technologies of this category, or of one of these */
                    readonly category?: string | readonly string[];
                    /** @description Technologies of this kind, or of one of these */
                    readonly kind?: ("app" | "service" | "theme") | readonly ("app" | "service" | "theme")[];
                };
                /** @description The store has none of these technologies, or none of the category or kind */
                readonly none?: readonly string[] | {
                    /** @description Technologies of this category, or of one of these */
                    readonly category?: string | readonly string[];
                    /** @description Technologies of this kind, or of one of these */
                    readonly kind?: ("app" | "service" | "theme") | readonly ("app" | "service" | "theme")[];
                };
                /** @description When a scan missed the technology first */
                readonly effective?: {
                    /**
                     * Format: date-time
                     * @description First day, inclusive. A time means its UTC day. ISO 8601, UTC
                     */
                    readonly from?: string;
                    /**
                     * Format: date-time
                     * @description Last day, inclusive. A time means its UTC day. ISO 8601, UTC
                     */
                    readonly to?: string;
                };
            }[];
            /** @description Needs the scope read:signals too */
            readonly moved?: {
                /** @description The platform before */
                readonly from_platform?: readonly string[];
                /** @description The platform after */
                readonly to_platform?: readonly string[];
                /** @description When a scan saw the new platform first */
                readonly effective?: {
                    /**
                     * Format: date-time
                     * @description First day, inclusive. A time means its UTC day. ISO 8601, UTC
                     */
                    readonly from?: string;
                    /**
                     * Format: date-time
                     * @description Last day, inclusive. A time means its UTC day. ISO 8601, UTC
                     */
                    readonly to?: string;
                };
            };
            /** @description Products of the catalogue. A store whose catalogue was not seen has no number */
            readonly products?: {
                readonly min?: number;
                readonly max?: number;
            };
            /** @description When the last scan of the store ended */
            readonly last_completed_scan?: {
                /**
                 * Format: date-time
                 * @description First day, inclusive. A time means its UTC day. ISO 8601, UTC
                 */
                readonly from?: string;
                /**
                 * Format: date-time
                 * @description Last day, inclusive. A time means its UTC day. ISO 8601, UTC
                 */
                readonly to?: string;
            };
            /** @description Lists of the workspace. Needs the scope read:watchlists too */
            readonly list?: {
                /** @description The store has one of these values */
                readonly any?: readonly string[];
                /** @description The store has none of these values */
                readonly none?: readonly string[];
            };
        };
        readonly Technology: {
            /** @description Canonical identifier, the same in store profiles and signals */
            readonly slug: string;
            /** @description Name, as its vendor writes it */
            readonly name: string;
            /**
             * @description What it is for a store
             * @enum {string}
             */
            readonly kind: "platform" | "app" | "service" | "theme";
            /** @description Category slug */
            readonly category: string;
            /** @description Who makes it; the name when that is not known */
            readonly vendor: string;
            /**
             * Format: uri
             * @description Page of the vendor
             */
            readonly website: string;
            /**
             * Format: uri
             * @description Where it is listed: in the store of a platform, else our page about it
             */
            readonly listing_url: string;
            /** @description Active stores that use it, as of at most 16 minutes ago; null for 1 to 4, and while it is not known */
            readonly stores: number | null;
        };
        readonly TechnologyDetails: {
            /** @description Canonical identifier, the same in store profiles and signals */
            readonly slug: string;
            /** @description Name, as its vendor writes it */
            readonly name: string;
            /**
             * @description What it is for a store
             * @enum {string}
             */
            readonly kind: "platform" | "app" | "service" | "theme";
            /** @description Category slug */
            readonly category: string;
            /** @description Who makes it; the name when that is not known */
            readonly vendor: string;
            /**
             * Format: uri
             * @description Page of the vendor
             */
            readonly website: string;
            /**
             * Format: uri
             * @description Where it is listed: in the store of a platform, else our page about it
             */
            readonly listing_url: string;
            /** @description Active stores that use it, as of at most 16 minutes ago; null for 1 to 4, and while it is not known */
            readonly stores: number | null;
            /** @description These stores by platform: most stores first, at least 5 */
            readonly by_platform: readonly {
                readonly platform: string;
                readonly stores: number;
            }[] | null;
            /** @description These stores by country: most stores first, at least 5 */
            readonly by_country: readonly {
                readonly country: string;
                readonly stores: number;
            }[] | null;
            /** @description These stores by industry: most stores first, at least 5 */
            readonly by_industry: readonly {
                readonly industry: string;
                readonly stores: number;
            }[] | null;
            /** @description What these stores use, too: most stores first, at least 5 */
            readonly found_beside: readonly {
                readonly technology: string;
                readonly stores: number;
            }[] | null;
            /** @description The edition of all stores that the figures are of */
            readonly edition: {
                /** @description Opaque, prefix edn_ */
                readonly id: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                readonly built_at: string;
            } | null;
        };
        readonly TechnologyPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["Technology"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly TestAllowanceRequest: {
            /** @description What is left of the unit, at most what the plan includes */
            readonly lookup_cached?: number;
            /** @description What is left of the unit, at most what the plan includes */
            readonly lookup_live?: number;
            /** @description What is left of the unit, at most what the plan includes */
            readonly history_query?: number;
            /** @description What is left of the unit, at most what the plan includes */
            readonly refresh_requested?: number;
        };
        readonly TestEvent: {
            /** @description The event, as GET /v1/events has it */
            readonly event: components["schemas"]["Event"];
        };
        readonly TestEventRequest: {
            /**
             * @description A type of GET /v1/event_types
             * @enum {string}
             */
            readonly type: "signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled";
            /** @description Members that replace those of the type's example; together at most 16,384 bytes of JSON */
            readonly data?: {
                readonly [key: string]: unknown;
            };
        };
        readonly TestReset: {
            /**
             * Format: date-time
             * @description When the reset was complete. ISO 8601, UTC
             */
            readonly reset_at: string;
        };
        readonly Usage: {
            readonly period: components["schemas"]["Period"];
            /** @description Every active key, and revoked or expired ones that spent units in the period */
            readonly by_key: readonly {
                /** @description Opaque, prefix key_ */
                readonly key_id: string;
                /** @description Name that the key was given */
                readonly label: string;
                readonly used: components["schemas"]["UsageCounters"];
            }[];
        };
        /** @description A number for each billing unit. */
        readonly UsageCounters: {
            /** @description Pages of history or signal search */
            readonly history_query: number;
            /** @description Profiles that were read */
            readonly lookup_cached: number;
            /** @description Scans that were queued by refresh */
            readonly lookup_live: number;
            /** @description Scans that were queued by requestScan, and rescans of watchlists */
            readonly refresh_requested: number;
        };
        /** @description A percentage of a unit of the allowance is used. */
        readonly UsageThresholdReachedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "usage.threshold_reached";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Open-ended; today one of: lookup_cached, lookup_live, history_query, refresh_requested. */
                readonly unit: "lookup_cached" | "lookup_live" | "history_query" | "refresh_requested" | (string & {});
                /** @description 80 or 100: the part of the allowance that is used. Once per period */
                readonly percent: number;
                /**
                 * Format: date-time
                 * @description The period. ISO 8601, UTC
                 */
                readonly period_starts_at: string;
            };
        };
        readonly UsageThresholdReachedMessage: {
            /** @constant */
            readonly type: "usage.threshold_reached";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Open-ended; today one of: lookup_cached, lookup_live, history_query, refresh_requested. */
                readonly unit?: "lookup_cached" | "lookup_live" | "history_query" | "refresh_requested" | (string & {});
                /** @description 80 or 100: the part of the allowance that is used. Once per period */
                readonly percent?: number;
                /**
                 * Format: date-time
                 * @description The period. ISO 8601, UTC
                 */
                readonly period_starts_at?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly Watchlist: {
            /** @description Opaque, prefix wl_ */
            readonly id: string;
            readonly name: string;
            readonly signal_types: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {}))[];
            readonly technologies: readonly string[];
            /** @description At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill the key that set it */
            readonly rescan_interval_days: number | null;
            /** @description The units that rescans may spend in a period */
            readonly budget: {
                /** @description null: no bound */
                readonly refresh_requested: number | null;
            };
            /** @description Open-ended; today one of: active, paused. `active`: the workspace receives the signals of its stores. `paused`: neither rescans nor signals. */
            readonly state: "active" | "paused" | (string & {});
            readonly rescans_paused: ("budget_exhausted" | "allowance_exhausted" | "key_revoked" | (string & {})) | null;
            /** @description Its stores */
            readonly store_count: number;
            readonly next_rescan_at: string | null;
            readonly forecast: {
                /** @description Units that rescans will spend until the end of this period */
                readonly refresh_requested: number;
                /** @description Units of the allowance that the workspace has left in this period, for everything that spends them; null: not known at the moment */
                readonly left: number | null;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the latest change of its members or of its stores
             */
            readonly updated_at: string;
        };
        readonly WatchlistCreate: {
            readonly name: string;
            /** @description The signals that the workspace receives */
            readonly signal_types?: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed")[];
            /** @description Only signals of these technologies; empty: of all */
            readonly technologies?: readonly string[];
            /** @description At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill the key that set it */
            readonly rescan_interval_days?: number | null;
            /** @description The units that rescans may spend in a period */
            readonly budget?: {
                /** @description null: no bound */
                readonly refresh_requested: number | null;
            };
        };
        readonly WatchlistPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["Watchlist"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        /** @description A person has paused a watchlist: neither rescans nor signals. */
        readonly WatchlistPausedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "watchlist.paused";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
                /** @description Name of the watchlist */
                readonly name: string;
            };
        };
        readonly WatchlistPausedMessage: {
            /** @constant */
            readonly type: "watchlist.paused";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id?: string;
                /** @description Name of the watchlist */
                readonly name?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        /** @description A watchlist has no more rescans for now; its signals continue. */
        readonly WatchlistRescansPausedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "watchlist.rescans_paused";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
                /** @description Name of the watchlist */
                readonly name: string;
                /** @description Open-ended; today one of: budget_exhausted, allowance_exhausted, key_revoked. Why rescans are paused. */
                readonly reason: "budget_exhausted" | "allowance_exhausted" | "key_revoked" | (string & {});
            };
        };
        readonly WatchlistRescansPausedMessage: {
            /** @constant */
            readonly type: "watchlist.rescans_paused";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id?: string;
                /** @description Name of the watchlist */
                readonly name?: string;
                /** @description Open-ended; today one of: budget_exhausted, allowance_exhausted, key_revoked. Why rescans are paused. */
                readonly reason?: "budget_exhausted" | "allowance_exhausted" | "key_revoked" | (string & {});
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        /** @description The rescans of a watchlist continue. */
        readonly WatchlistRescansResumedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "watchlist.rescans_resumed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
                /** @description Name of the watchlist */
                readonly name: string;
            };
        };
        readonly WatchlistRescansResumedMessage: {
            /** @constant */
            readonly type: "watchlist.rescans_resumed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id?: string;
                /** @description Name of the watchlist */
                readonly name?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        /** @description A person has made a watchlist active again. */
        readonly WatchlistResumedEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "watchlist.resumed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
                /** @description Name of the watchlist */
                readonly name: string;
            };
        };
        readonly WatchlistResumedMessage: {
            /** @constant */
            readonly type: "watchlist.resumed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id?: string;
                /** @description Name of the watchlist */
                readonly name?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly WatchlistUpdate: {
            readonly name?: string;
            /** @description The signals that the workspace receives */
            readonly signal_types?: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed")[];
            /** @description Only signals of these technologies; empty: of all */
            readonly technologies?: readonly string[];
            /** @description At least plan.limits.freshness_days; null: no rescans. A number needs the scope write:scans, and rescans bill the key that set it */
            readonly rescan_interval_days?: number | null;
            /** @description The units that rescans may spend in a period */
            readonly budget?: {
                /** @description null: no bound */
                readonly refresh_requested: number | null;
            };
            /** @enum {string} */
            readonly state?: "active" | "paused";
        };
        readonly Webhook: {
            /** @description Opaque, prefix whk_ */
            readonly id: string;
            /** @description https only, without user and password. The name must have public addresses only; it is resolved now, and again for each attempt */
            readonly url: string;
            readonly event_types: readonly ("signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled" | (string & {}))[];
            /** @description Text of your own; null without one */
            readonly description: string | null;
            readonly watchlist_ids: readonly string[];
            /** @description Attempts in a minute, repeated ones included; null: no bound */
            readonly max_per_minute: number | null;
            readonly filters: {
                readonly signal_type: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {}))[];
                readonly technology: readonly string[];
                readonly category: readonly string[];
                readonly platform: readonly string[];
                readonly country: readonly string[];
                readonly industry: readonly string[];
                /** @description The lowest confidence of a signal; null: any */
                readonly confidence_min: ("high" | "medium" | "low" | (string & {})) | null;
            };
            /** @description The names of the headers; each value is *** */
            readonly headers: {
                readonly [key: string]: string;
            };
            /** @description Open-ended; today one of: active, paused, disabled. `active`: events are delivered. `paused`: events wait for at most 30 days, and are delivered when it is active again. `disabled`: no delivery is made; what it misses comes by a replay only. */
            readonly state: "active" | "paused" | "disabled" | (string & {});
            readonly disabled_reason: ("gone" | "no_success" | (string & {})) | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly updated_at: string;
        };
        readonly WebhookCreate: {
            /** @description https only, without user and password. The name must have public addresses only; it is resolved now, and again for each attempt */
            readonly url: string;
            readonly event_types: readonly ("signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled")[];
            /** @description Text of your own; null without one */
            readonly description?: string | null;
            /** @description Only events of these watchlists; empty: of any watchlist, and of none. An unknown one is 404 */
            readonly watchlist_ids?: readonly string[];
            /** @description Attempts in a minute, repeated ones included; null: no bound */
            readonly max_per_minute?: number | null;
            /** @description Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is 400 */
            readonly filters?: {
                /** @description Only signals of these types; empty: of all */
                readonly signal_type?: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed")[];
                /** @description Only signals of these technologies; empty: of all */
                readonly technology?: readonly string[];
                /** @description Only signals of these categories of technologies; empty: of all */
                readonly category?: readonly string[];
                /** @description Only signals of these platforms of the store; empty: of all */
                readonly platform?: readonly string[];
                /** @description Only signals of these countries of the store; ZZ: unknown; empty: of all */
                readonly country?: readonly string[];
                /** @description Only signals of these industries of the store; empty: of all */
                readonly industry?: readonly string[];
                /** @description The lowest confidence of a signal; null: any */
                readonly confidence_min?: ("high" | "medium" | "low") | null;
            };
            /** @description Headers of every attempt, at most 10. Not host, user-agent, content-*, webhook-* or a header of the connection. Their values are not shown again */
            readonly headers?: {
                readonly [key: string]: string;
            };
        };
        /** @description A webhook was disabled after failed attempts; what it missed can be replayed. */
        readonly WebhookDisabledEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "webhook.disabled";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
                /**
                 * Format: uri
                 * @description The address of the webhook
                 */
                readonly url: string;
                /** @description Why the webhook was disabled, as a sentence */
                readonly reason: string;
            };
        };
        readonly WebhookDisabledMessage: {
            /** @constant */
            readonly type: "webhook.disabled";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id?: string;
                /**
                 * Format: uri
                 * @description The address of the webhook
                 */
                readonly url?: string;
                /** @description Why the webhook was disabled, as a sentence */
                readonly reason?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        /** @description A webhook had no success for 24 hours and at least 5 failed attempts. */
        readonly WebhookFailingEvent: {
            /** @description Opaque, prefix evt_ */
            readonly id: string;
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @constant */
            readonly type: "webhook.failing";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; it never decreases along the sequence
             */
            readonly created_at: string;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
            /** @description The resource that the event is about; null when no operation reads it */
            readonly related: components["schemas"]["RelatedResource"] | null;
            readonly data: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
                /**
                 * Format: uri
                 * @description The address of the webhook
                 */
                readonly url: string;
            };
        };
        readonly WebhookFailingMessage: {
            /** @constant */
            readonly type: "webhook.failing";
            /**
             * Format: date-time
             * @description ISO 8601, UTC: the created_at of the event
             */
            readonly timestamp: string;
            readonly data: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id?: string;
                /**
                 * Format: uri
                 * @description The address of the webhook
                 */
                readonly url?: string;
                /**
                 * @description The event is larger than 20 KB, and data has its ids only
                 * @constant
                 */
                readonly truncated?: true;
            };
            /** @description The place in the sequence of the workspace and the environment: from 1, without gaps */
            readonly sequence: number;
            /** @description Open-ended; today one of: live, test. */
            readonly environment: "live" | "test" | (string & {});
        };
        readonly WebhookPage: {
            /** @description The entries of this page */
            readonly data: readonly components["schemas"]["Webhook"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly WebhookReplay: {
            /**
             * Format: date-time
             * @description Earliest created_at of an event, inclusive; at most 30 days before to. Older events are deleted. ISO 8601, UTC
             */
            readonly from: string;
            /**
             * Format: date-time
             * @description Latest created_at of an event, inclusive. ISO 8601, UTC
             */
            readonly to: string;
            /**
             * @description failed: events whose delivery is failed or retrying. all: every event that matches the webhook now
             * @default failed
             * @enum {string}
             */
            readonly only: "failed" | "all";
            /** @description Only events of these types; absent: the event_types of the webhook */
            readonly event_types?: readonly ("signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled")[];
        };
        readonly WebhookRotate: {
            /**
             * @description How long the old secret signs, too
             * @default 24
             */
            readonly overlap_hours: number;
        };
        readonly WebhookTest: {
            /**
             * @description Absent: the first one of its event_types
             * @enum {string}
             */
            readonly type?: "signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled";
        };
        readonly WebhookTested: {
            /** @description What was sent. A test has no sequence and makes no delivery */
            readonly event: {
                /** @description The webhook-id of the message */
                readonly id: string;
                /** @description Open-ended; today one of: signal.confirmed, signal.retracted, scan.completed, scan.failed, job.finished, usage.threshold_reached, key.expiring, watchlist.paused, watchlist.resumed, watchlist.rescans_paused, watchlist.rescans_resumed, webhook.failing, webhook.disabled. */
                readonly type: "signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled" | (string & {});
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                readonly timestamp: string;
                /** @constant */
                readonly test: true;
                /** @description The example of GET /v1/event_types */
                readonly data: {
                    readonly [key: string]: unknown;
                };
                /** @description Open-ended; today one of: live, test. */
                readonly environment: "live" | "test" | (string & {});
            };
            readonly attempt: components["schemas"]["DeliveryAttempt"];
        };
        readonly WebhookUpdate: {
            /** @description https only, without user and password. The name must have public addresses only; it is resolved now, and again for each attempt */
            readonly url?: string;
            readonly event_types?: readonly ("signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled")[];
            /** @description Text of your own; null without one */
            readonly description?: string | null;
            /** @description Only events of these watchlists; empty: of any watchlist, and of none. An unknown one is 404 */
            readonly watchlist_ids?: readonly string[];
            /** @description Narrow the events of signals, and no others. A signal must match every filter. A value that does not exist is 400 */
            readonly filters?: {
                /** @description Only signals of these types; empty: of all */
                readonly signal_type?: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed")[];
                /** @description Only signals of these technologies; empty: of all */
                readonly technology?: readonly string[];
                /** @description Only signals of these categories of technologies; empty: of all */
                readonly category?: readonly string[];
                /** @description Only signals of these platforms of the store; empty: of all */
                readonly platform?: readonly string[];
                /** @description Only signals of these countries of the store; ZZ: unknown; empty: of all */
                readonly country?: readonly string[];
                /** @description Only signals of these industries of the store; empty: of all */
                readonly industry?: readonly string[];
                /** @description The lowest confidence of a signal; null: any */
                readonly confidence_min?: ("high" | "medium" | "low") | null;
            };
            /** @description Attempts in a minute, repeated ones included; null: no bound */
            readonly max_per_minute?: number | null;
            /** @description Headers of every attempt, at most 10. Not host, user-agent, content-*, webhook-* or a header of the connection. Their values are not shown again */
            readonly headers?: {
                readonly [key: string]: string;
            };
            /** @enum {string} */
            readonly state?: "active" | "paused";
        };
        readonly WebhookWithSecret: {
            /** @description Opaque, prefix whk_ */
            readonly id: string;
            /** @description https only, without user and password. The name must have public addresses only; it is resolved now, and again for each attempt */
            readonly url: string;
            readonly event_types: readonly ("signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled" | (string & {}))[];
            /** @description Text of your own; null without one */
            readonly description: string | null;
            readonly watchlist_ids: readonly string[];
            /** @description Attempts in a minute, repeated ones included; null: no bound */
            readonly max_per_minute: number | null;
            readonly filters: {
                readonly signal_type: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed" | (string & {}))[];
                readonly technology: readonly string[];
                readonly category: readonly string[];
                readonly platform: readonly string[];
                readonly country: readonly string[];
                readonly industry: readonly string[];
                /** @description The lowest confidence of a signal; null: any */
                readonly confidence_min: ("high" | "medium" | "low" | (string & {})) | null;
            };
            /** @description The names of the headers; each value is *** */
            readonly headers: {
                readonly [key: string]: string;
            };
            /** @description Open-ended; today one of: active, paused, disabled. `active`: events are delivered. `paused`: events wait for at most 30 days, and are delivered when it is active again. `disabled`: no delivery is made; what it misses comes by a replay only. */
            readonly state: "active" | "paused" | "disabled" | (string & {});
            readonly disabled_reason: ("gone" | "no_success" | (string & {})) | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly updated_at: string;
            /** @description whsec_ and base64: signs the messages. Shown once: null in a replayed response */
            readonly secret: string | null;
        };
    };
    responses: {
        /** @description Headers, parameters or body fail validation; the message names the field. */
        readonly InvalidRequestPublic: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body exceeds 262,144 bytes. */
        readonly BodyTooLargePublic: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requests without a key that the caller's address has per minute are spent. */
        readonly PublicRateLimitedPublic: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service, its time bound included. Not billed. */
        readonly InternalPublic: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The instance is stopping, or a promise of the request cannot be kept right now. */
        readonly UnavailablePublic: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Headers, parameters or body fail validation; the message names the field. */
        readonly InvalidRequest: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Requests per minute for this key. */
                readonly "X-RateLimit-Limit"?: number;
                /** @description Requests left in the current minute. */
                readonly "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the minute resets. */
                readonly "X-RateLimit-Reset"?: number;
                /** @description IETF draft form of the limit. */
                readonly "RateLimit-Policy"?: string;
                /** @description IETF draft form of what is left. */
                readonly RateLimit?: string;
                /** @description lookup_cached units left in the period: included less used and reserved. */
                readonly "X-Usage-Remaining"?: number;
                /** @description Sent with every answer to a key of the test tenant. */
                readonly "X-Shopscope-Environment"?: "test";
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body exceeds 262,144 bytes. */
        readonly BodyTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is missing, malformed, unknown, revoked or expired. The message says which of the first two it is. Unknown, revoked and expired keys get the same answer. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key's requests per minute are spent, or too many different keys that are not valid came from the caller's address. */
        readonly RateLimited: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The simultaneous requests of the key are in use, or those batches or searches that its workspace may run at the same time. Or: The instance is stopping, or a promise of the request cannot be kept right now. */
        readonly ConcurrencyLimitedOrUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                /** @description Requests per minute for this key. */
                readonly "X-RateLimit-Limit"?: number;
                /** @description Requests left in the current minute. */
                readonly "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the minute resets. */
                readonly "X-RateLimit-Reset"?: number;
                /** @description IETF draft form of the limit. */
                readonly "RateLimit-Policy"?: string;
                /** @description IETF draft form of what is left. */
                readonly RateLimit?: string;
                /** @description lookup_cached units left in the period: included less used and reserved. */
                readonly "X-Usage-Remaining"?: number;
                /** @description Sent with every answer to a key of the test tenant. */
                readonly "X-Shopscope-Environment"?: "test";
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key does not have the scope of the operation, or write:scans where refresh is true. */
        readonly ForbiddenScope: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used with a different body within 24 hours. */
        readonly Conflict: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request needs more units than the period's allowance has left. Nothing happened and nothing was billed. */
        readonly PaymentRequired: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service, its time bound included. Not billed. */
        readonly Internal: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Requests per minute for this key. */
                readonly "X-RateLimit-Limit"?: number;
                /** @description Requests left in the current minute. */
                readonly "X-RateLimit-Remaining"?: number;
                /** @description Seconds until the minute resets. */
                readonly "X-RateLimit-Reset"?: number;
                /** @description IETF draft form of the limit. */
                readonly "RateLimit-Policy"?: string;
                /** @description IETF draft form of what is left. */
                readonly RateLimit?: string;
                /** @description lookup_cached units left in the period: included less used and reserved. */
                readonly "X-Usage-Remaining"?: number;
                /** @description Sent with every answer to a key of the test tenant. */
                readonly "X-Shopscope-Environment"?: "test";
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundList: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundTechnology: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundJob: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundWatchlist: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundWebhook: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. Or: No such route or resource. Never billed. */
        readonly NotFoundWebhookOrNotFoundWatchlist: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. Or: No such route or resource. Never billed. */
        readonly NotFoundWebhookOrNotFoundDelivery: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundDelivery: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such route or resource. Never billed. */
        readonly NotFoundTest: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Repeated in the answer; made by the service when absent. */
        readonly "X-Request-Id": string;
        /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
        readonly "Idempotency-Key": string;
        /** @description One range of bytes, such as `bytes=0-999`. Others are ignored. */
        readonly Range: string;
        /** @description Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only. */
        readonly "If-None-Match": string;
    };
    requestBodies: never;
    headers: {
        /** @description Id of the request. */
        readonly "X-Request-Id": string;
        /** @description Requests per minute for this key. */
        readonly "X-RateLimit-Limit": number;
        /** @description Requests left in the current minute. */
        readonly "X-RateLimit-Remaining": number;
        /** @description Seconds until the minute resets. */
        readonly "X-RateLimit-Reset": number;
        /** @description IETF draft form of the limit. */
        readonly "RateLimit-Policy": string;
        /** @description IETF draft form of what is left. */
        readonly RateLimit: string;
        /** @description lookup_cached units left in the period: included less used and reserved. */
        readonly "X-Usage-Remaining": number;
        /** @description Sent with every answer to a key of the test tenant. */
        readonly "X-Shopscope-Environment": "test";
        /** @description Seconds to wait before the next try. */
        readonly "Retry-After": number;
        /** @description The scheme that is asked for. */
        readonly "WWW-Authenticate": "Bearer";
        /** @description The answer is that of an earlier request; nothing was billed. */
        readonly "Idempotent-Replayed": "true";
        /** @description Entity tag: strong of an observation, for this workspace, and of a document; weak of a page of stores, which shows them as they are now. */
        readonly ETag: string;
        /** @description Sent when Accept-Encoding allows it. */
        readonly "Content-Encoding": "gzip" | "br";
        /** @description A Range of bytes is accepted. */
        readonly "Accept-Ranges": "bytes";
        /** @description The bytes of this answer, and all of them. */
        readonly "Content-Range": string;
        /** @description How long the answer may be kept. */
        readonly "Cache-Control": string;
        /** @description Any origin may read the public documents. */
        readonly "Access-Control-Allow-Origin": "*";
        /** @description Headers that a script of another origin may read. */
        readonly "Access-Control-Expose-Headers": string;
        /** @description What the answer depends on beside its URL. */
        readonly Vary: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getHost: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only. */
                readonly "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Host document. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Shopscope",
                     *       "description": "What is known about any web store, by domain.",
                     *       "documentation_url": "https://shopscope.example/docs",
                     *       "graphql": {
                     *         "url": "https://api.shopscope.example/v1/graphql",
                     *         "access": "api_key"
                     *       },
                     *       "rest": {
                     *         "base_url": "https://api.shopscope.example/v1",
                     *         "openapi_url": "https://api.shopscope.example/v1/openapi.json",
                     *         "version": "1.0.0",
                     *         "authentication": {
                     *           "header": "Authorization",
                     *           "keys_url": "https://shopscope.example/settings/api-keys",
                     *           "scheme": "bearer"
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["HostDocument"];
                };
            };
            /** @description Unchanged. Free. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequestPublic"];
            readonly 413: components["responses"]["BodyTooLargePublic"];
            readonly 429: components["responses"]["PublicRateLimitedPublic"];
            readonly 500: components["responses"]["InternalPublic"];
            readonly 503: components["responses"]["UnavailablePublic"];
        };
    };
    readonly getIndex: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only. */
                readonly "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Service index. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly "Content-Encoding": components["headers"]["Content-Encoding"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authentication": {
                     *         "header": "Authorization",
                     *         "keys_url": "https://shopscope.example/settings/api-keys",
                     *         "scheme": "bearer"
                     *       },
                     *       "documentation_url": "https://shopscope.example/docs",
                     *       "endpoints": {
                     *         "getAccount": "https://api.shopscope.example/v1/account",
                     *         "getStore": "https://api.shopscope.example/v1/stores/{domain}"
                     *       },
                     *       "openapi_url": "https://api.shopscope.example/v1/openapi.json",
                     *       "version": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ServiceIndex"];
                };
            };
            /** @description Unchanged. Free. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequestPublic"];
            readonly 413: components["responses"]["BodyTooLargePublic"];
            readonly 429: components["responses"]["PublicRateLimitedPublic"];
            readonly 500: components["responses"]["InternalPublic"];
            readonly 503: components["responses"]["UnavailablePublic"];
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The service answers; degraded when something it depends on does not. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            readonly 400: components["responses"]["InvalidRequestPublic"];
            readonly 413: components["responses"]["BodyTooLargePublic"];
            readonly 429: components["responses"]["PublicRateLimitedPublic"];
            readonly 500: components["responses"]["InternalPublic"];
            readonly 503: components["responses"]["UnavailablePublic"];
        };
    };
    readonly getOpenapi: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only. */
                readonly "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OpenAPI 3.1, the whole surface, served or not. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly "Content-Encoding": components["headers"]["Content-Encoding"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Shopscope",
                     *         "version": "1.0.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    readonly "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            /** @description Unchanged. Free. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    readonly "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequestPublic"];
            readonly 413: components["responses"]["BodyTooLargePublic"];
            readonly 429: components["responses"]["PublicRateLimitedPublic"];
            readonly 500: components["responses"]["InternalPublic"];
            readonly 503: components["responses"]["UnavailablePublic"];
        };
    };
    readonly enrichStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "domains": [
                 *         "https://shop.example/",
                 *         "new-shop.example",
                 *         "127.0.0.1"
                 *       ],
                 *       "refresh": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["EnrichRequest"];
            };
        };
        readonly responses: {
            /** @description Results in the order of the inputs. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "req_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "billed": {
                     *         "lookup_cached": 1,
                     *         "lookup_live": 1
                     *       },
                     *       "results": [
                     *         {
                     *           "input": "https://shop.example/",
                     *           "match": "matched",
                     *           "reason": null,
                     *           "scan_requested": false,
                     *           "scan_job_id": null,
                     *           "store": {
                     *             "brand_group_id": "bg_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "domain": "shop.example",
                     *             "storefront_host": "www.shop.example",
                     *             "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "name": "Example Shop",
                     *             "profile_url": "https://shopscope.example/stores/shop.example",
                     *             "catalog": {
                     *               "as_of": "2026-01-15T11:58:41.000Z",
                     *               "product_count": 184,
                     *               "available_count": 171,
                     *               "coverage": "first_page",
                     *               "currency": "EUR",
                     *               "price_range": {
                     *                 "median": 39.9,
                     *                 "p25": 24.5,
                     *                 "p75": 69
                     *               }
                     *             },
                     *             "geography": {
                     *               "basis": "observed",
                     *               "country": "DE"
                     *             },
                     *             "industry": {
                     *               "basis": "classified",
                     *               "slug": "apparel"
                     *             },
                     *             "observation": {
                     *               "coverage_note": null,
                     *               "last_completed_scan_at": "2026-01-15T11:58:41.000Z",
                     *               "scope": "full"
                     *             },
                     *             "platform": {
                     *               "name": "Shopify",
                     *               "slug": "shopify",
                     *               "confidence": "high",
                     *               "first_observed_at": "2025-11-02T08:12:09.000Z",
                     *               "last_confirmed_at": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "status": {
                     *               "state": "active_storefront",
                     *               "as_of": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "technologies": [
                     *               {
                     *                 "category": "marketing-automation",
                     *                 "confidence": "high",
                     *                 "first_observed_at": "2026-01-15T11:58:41.000Z",
                     *                 "install_state": "active",
                     *                 "last_confirmed_at": "2026-01-15T11:58:41.000Z",
                     *                 "name": "Klaviyo",
                     *                 "slug": "klaviyo"
                     *               }
                     *             ],
                     *             "recent_signals": [
                     *               {
                     *                 "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *                 "type": "technology_added",
                     *                 "technology": "klaviyo",
                     *                 "from": null,
                     *                 "to": "active",
                     *                 "confidence": "high",
                     *                 "effective_at": "2026-01-15T11:58:41.000Z",
                     *                 "confirmed_at": "2026-01-15T11:58:41.000Z"
                     *               }
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "input": "new-shop.example",
                     *           "match": "no_match",
                     *           "reason": "not_in_corpus",
                     *           "scan_requested": true,
                     *           "scan_job_id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "store": null
                     *         },
                     *         {
                     *           "input": "127.0.0.1",
                     *           "match": "error",
                     *           "reason": "invalid_domain",
                     *           "scan_requested": false,
                     *           "scan_job_id": null,
                     *           "store": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EnrichResponse"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getStore: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only. */
                readonly "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            readonly path: {
                /** @description A hostname, or a whole URL, percent-encoded as one path segment; canonicalized to the registrable domain */
                readonly domain: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The store. Identical until its next completed observation. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "match": "matched",
                     *       "store": {
                     *         "brand_group_id": "bg_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "domain": "shop.example",
                     *         "storefront_host": "www.shop.example",
                     *         "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "name": "Example Shop",
                     *         "profile_url": "https://shopscope.example/stores/shop.example",
                     *         "catalog": {
                     *           "as_of": "2026-01-15T11:58:41.000Z",
                     *           "product_count": 184,
                     *           "available_count": 171,
                     *           "coverage": "first_page",
                     *           "currency": "EUR",
                     *           "price_range": {
                     *             "median": 39.9,
                     *             "p25": 24.5,
                     *             "p75": 69
                     *           }
                     *         },
                     *         "geography": {
                     *           "basis": "observed",
                     *           "country": "DE"
                     *         },
                     *         "industry": {
                     *           "basis": "classified",
                     *           "slug": "apparel"
                     *         },
                     *         "observation": {
                     *           "coverage_note": null,
                     *           "last_completed_scan_at": "2026-01-15T11:58:41.000Z",
                     *           "scope": "full"
                     *         },
                     *         "platform": {
                     *           "name": "Shopify",
                     *           "slug": "shopify",
                     *           "confidence": "high",
                     *           "first_observed_at": "2025-11-02T08:12:09.000Z",
                     *           "last_confirmed_at": "2026-01-15T11:58:41.000Z"
                     *         },
                     *         "status": {
                     *           "state": "active_storefront",
                     *           "as_of": "2026-01-15T11:58:41.000Z"
                     *         },
                     *         "technologies": [
                     *           {
                     *             "category": "marketing-automation",
                     *             "confidence": "high",
                     *             "first_observed_at": "2026-01-15T11:58:41.000Z",
                     *             "install_state": "active",
                     *             "last_confirmed_at": "2026-01-15T11:58:41.000Z",
                     *             "name": "Klaviyo",
                     *             "slug": "klaviyo"
                     *           }
                     *         ],
                     *         "recent_signals": [
                     *           {
                     *             "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "type": "technology_added",
                     *             "technology": "klaviyo",
                     *             "from": null,
                     *             "to": "active",
                     *             "confidence": "high",
                     *             "effective_at": "2026-01-15T11:58:41.000Z",
                     *             "confirmed_at": "2026-01-15T11:58:41.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StoreResponse"];
                };
            };
            /** @description Unchanged. Free. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listStores: {
        readonly parameters: {
            readonly query?: {
                /** @description Platform of the store; `custom` for a shop on no known platform. One value or several, separated by commas */
                readonly platform?: readonly string[];
                /** @description Not these platforms. One value or several, separated by commas */
                readonly platform_none?: readonly string[];
                /** @description Country of the store; `ZZ` when it is not known. One value or several, separated by commas */
                readonly country?: readonly string[];
                /** @description Not these countries. One value or several, separated by commas */
                readonly country_none?: readonly string[];
                /** @description Industry of the store; `unclassified` when it is not known. One value or several, separated by commas */
                readonly industry?: readonly string[];
                /** @description Not these industries. One value or several, separated by commas */
                readonly industry_none?: readonly string[];
                /** @description Status of the store; by default active_storefront. One value or several, separated by commas */
                readonly status?: readonly ("active_storefront" | "password_protected" | "redirected" | "parked" | "unreachable" | "closed" | "not_a_storefront")[];
                /** @description Not these statuses. One value or several, separated by commas */
                readonly status_none?: readonly ("active_storefront" | "password_protected" | "redirected" | "parked" | "unreachable" | "closed" | "not_a_storefront")[];
                /** @description The store has one of these technologies. One value or several, separated by commas */
                readonly technology_any?: readonly string[];
                /** @description The store has each of these technologies. One value or several, separated by commas */
                readonly technology_all?: readonly string[];
                /** @description The store has none of these technologies. One value or several, separated by commas */
                readonly technology_none?: readonly string[];
                /** @description The store has a technology of one of these categories. One value or several, separated by commas */
                readonly category_any?: readonly string[];
                /** @description The store has no technology of these categories. One value or several, separated by commas */
                readonly category_none?: readonly string[];
                /** @description State of the technologies that the store has. One value or several, separated by commas */
                readonly install_state?: readonly ("configured" | "active" | "inactive")[];
                /** @description The store dropped one of these technologies. One value or several, separated by commas */
                readonly dropped_any?: readonly string[];
                /** @description The store left one of these platforms. One value or several, separated by commas */
                readonly moved_from_platform?: readonly string[];
                /** @description The store moved to one of these platforms. One value or several, separated by commas */
                readonly moved_to_platform?: readonly string[];
                /** @description The store is in one of these lists. One value or several, separated by commas */
                readonly list_any?: readonly string[];
                /** @description The store is in none of these lists. One value or several, separated by commas */
                readonly list_none?: readonly string[];
                /** @description The technologies that the store has are detected with at least this confidence */
                readonly confidence_min?: "high" | "medium" | "low";
                /** @description Earliest day on which the technologies were first observed. A time means its UTC day. ISO 8601, UTC */
                readonly first_observed_from?: string;
                /** @description Latest day on which the technologies were first observed. A time means its UTC day. ISO 8601, UTC */
                readonly first_observed_to?: string;
                /** @description First day of the removal. A time means its UTC day. ISO 8601, UTC */
                readonly dropped_from?: string;
                /** @description Last day of the removal. A time means its UTC day. ISO 8601, UTC */
                readonly dropped_to?: string;
                /** @description First day of the change of the platform. A time means its UTC day. ISO 8601, UTC */
                readonly moved_from?: string;
                /** @description Last day of the change of the platform. A time means its UTC day. ISO 8601, UTC */
                readonly moved_to?: string;
                /** @description Least number of products, a multiple of ten */
                readonly products_min?: number;
                /** @description Largest number of products, a multiple of ten */
                readonly products_max?: number;
                /** @description Stores with equal values are ordered by storefront_id */
                readonly sort?: "domain" | "-last_completed_scan_at" | "-product_count" | "-last_changed_at";
                /** @description `compact`: fewer members of each store, at the same price */
                readonly view?: "full" | "compact";
                /** @description Rows of a page */
                readonly limit?: number;
                /** @description next_cursor of the page before */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Entity tags of earlier answers, at most 32; a match answers 304, free. `*` matches public documents only. */
                readonly "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of stores. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "req_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "billed": {
                     *         "lookup_cached": 1,
                     *         "history_query": 1
                     *       },
                     *       "edition": {
                     *         "id": "edn_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "built_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "where": {
                     *         "country": {
                     *           "any": [
                     *             "AT",
                     *             "DE"
                     *           ]
                     *         },
                     *         "status": {
                     *           "any": [
                     *             "active_storefront"
                     *           ]
                     *         },
                     *         "technologies": [
                     *           {
                     *             "any": [
                     *               "klaviyo"
                     *             ],
                     *             "install_state": [
                     *               "active"
                     *             ]
                     *           },
                     *           {
                     *             "none": {
                     *               "category": [
                     *                 "reviews"
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "dropped": [
                     *           {
                     *             "any": [
                     *               "loox"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "window": {
                     *         "from": "2025-10-01T00:00:00.000Z",
                     *         "truncated_by_plan": false
                     *       },
                     *       "data": [
                     *         {
                     *           "domain": "shop.example",
                     *           "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "matched": [
                     *             {
                     *               "technology": "klaviyo",
                     *               "install_state": "active",
                     *               "since": "observed",
                     *               "first_observed_at": "2026-01-15T12:00:00.000Z",
                     *               "last_confirmed_at": "2026-01-15T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "dropped": [
                     *             {
                     *               "technology": "loox",
                     *               "signal_id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *               "effective_at": "2026-01-15T12:00:00.000Z",
                     *               "confirmed_at": "2026-01-15T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "changed_since_edition": false,
                     *           "store": {
                     *             "brand_group_id": "bg_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "domain": "shop.example",
                     *             "storefront_host": "www.shop.example",
                     *             "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "name": "Example Shop",
                     *             "profile_url": "https://shopscope.example/stores/shop.example",
                     *             "catalog": {
                     *               "as_of": "2026-01-15T11:58:41.000Z",
                     *               "product_count": 184,
                     *               "available_count": 171,
                     *               "coverage": "first_page",
                     *               "currency": "EUR",
                     *               "price_range": {
                     *                 "median": 39.9,
                     *                 "p25": 24.5,
                     *                 "p75": 69
                     *               }
                     *             },
                     *             "geography": {
                     *               "basis": "observed",
                     *               "country": "DE"
                     *             },
                     *             "industry": {
                     *               "basis": "classified",
                     *               "slug": "apparel"
                     *             },
                     *             "observation": {
                     *               "coverage_note": null,
                     *               "last_completed_scan_at": "2026-01-15T11:58:41.000Z",
                     *               "scope": "full"
                     *             },
                     *             "platform": {
                     *               "name": "Shopify",
                     *               "slug": "shopify",
                     *               "confidence": "high",
                     *               "first_observed_at": "2025-11-02T08:12:09.000Z",
                     *               "last_confirmed_at": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "status": {
                     *               "state": "active_storefront",
                     *               "as_of": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "technologies": [
                     *               {
                     *                 "category": "marketing-automation",
                     *                 "confidence": "high",
                     *                 "first_observed_at": "2026-01-15T11:58:41.000Z",
                     *                 "install_state": "active",
                     *                 "last_confirmed_at": "2026-01-15T11:58:41.000Z",
                     *                 "name": "Klaviyo",
                     *                 "slug": "klaviyo"
                     *               }
                     *             ],
                     *             "recent_signals": [
                     *               {
                     *                 "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *                 "type": "technology_added",
                     *                 "technology": "klaviyo",
                     *                 "from": null,
                     *                 "to": "active",
                     *                 "confidence": "high",
                     *                 "effective_at": "2026-01-15T11:58:41.000Z",
                     *                 "confirmed_at": "2026-01-15T11:58:41.000Z"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "MTc2ODQ3ODQwMDAwMA.uQ3k5WQ2J0o8Zb1rT7xNfA"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StorePage"];
                };
            };
            /** @description Unchanged. Free. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly searchStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "where": {
                 *         "country": {
                 *           "any": [
                 *             "DE",
                 *             "AT"
                 *           ]
                 *         },
                 *         "technologies": [
                 *           {
                 *             "any": [
                 *               "klaviyo"
                 *             ],
                 *             "install_state": [
                 *               "active"
                 *             ]
                 *           },
                 *           {
                 *             "none": {
                 *               "category": "reviews"
                 *             }
                 *           }
                 *         ],
                 *         "dropped": [
                 *           {
                 *             "any": [
                 *               "loox"
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "sort": "domain",
                 *       "view": "full",
                 *       "limit": 50,
                 *       "cursor": null,
                 *       "max_units": {
                 *         "lookup_cached": 50,
                 *         "history_query": 1
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoreSearchRequest"];
            };
        };
        readonly responses: {
            /** @description A page of stores. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "req_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "billed": {
                     *         "lookup_cached": 1,
                     *         "history_query": 1
                     *       },
                     *       "edition": {
                     *         "id": "edn_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "built_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "where": {
                     *         "country": {
                     *           "any": [
                     *             "AT",
                     *             "DE"
                     *           ]
                     *         },
                     *         "status": {
                     *           "any": [
                     *             "active_storefront"
                     *           ]
                     *         },
                     *         "technologies": [
                     *           {
                     *             "any": [
                     *               "klaviyo"
                     *             ],
                     *             "install_state": [
                     *               "active"
                     *             ]
                     *           },
                     *           {
                     *             "none": {
                     *               "category": [
                     *                 "reviews"
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "dropped": [
                     *           {
                     *             "any": [
                     *               "loox"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "window": {
                     *         "from": "2025-10-01T00:00:00.000Z",
                     *         "truncated_by_plan": false
                     *       },
                     *       "data": [
                     *         {
                     *           "domain": "shop.example",
                     *           "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "matched": [
                     *             {
                     *               "technology": "klaviyo",
                     *               "install_state": "active",
                     *               "since": "observed",
                     *               "first_observed_at": "2026-01-15T12:00:00.000Z",
                     *               "last_confirmed_at": "2026-01-15T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "dropped": [
                     *             {
                     *               "technology": "loox",
                     *               "signal_id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *               "effective_at": "2026-01-15T12:00:00.000Z",
                     *               "confirmed_at": "2026-01-15T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "changed_since_edition": false,
                     *           "store": {
                     *             "brand_group_id": "bg_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "domain": "shop.example",
                     *             "storefront_host": "www.shop.example",
                     *             "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "name": "Example Shop",
                     *             "profile_url": "https://shopscope.example/stores/shop.example",
                     *             "catalog": {
                     *               "as_of": "2026-01-15T11:58:41.000Z",
                     *               "product_count": 184,
                     *               "available_count": 171,
                     *               "coverage": "first_page",
                     *               "currency": "EUR",
                     *               "price_range": {
                     *                 "median": 39.9,
                     *                 "p25": 24.5,
                     *                 "p75": 69
                     *               }
                     *             },
                     *             "geography": {
                     *               "basis": "observed",
                     *               "country": "DE"
                     *             },
                     *             "industry": {
                     *               "basis": "classified",
                     *               "slug": "apparel"
                     *             },
                     *             "observation": {
                     *               "coverage_note": null,
                     *               "last_completed_scan_at": "2026-01-15T11:58:41.000Z",
                     *               "scope": "full"
                     *             },
                     *             "platform": {
                     *               "name": "Shopify",
                     *               "slug": "shopify",
                     *               "confidence": "high",
                     *               "first_observed_at": "2025-11-02T08:12:09.000Z",
                     *               "last_confirmed_at": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "status": {
                     *               "state": "active_storefront",
                     *               "as_of": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "technologies": [
                     *               {
                     *                 "category": "marketing-automation",
                     *                 "confidence": "high",
                     *                 "first_observed_at": "2026-01-15T11:58:41.000Z",
                     *                 "install_state": "active",
                     *                 "last_confirmed_at": "2026-01-15T11:58:41.000Z",
                     *                 "name": "Klaviyo",
                     *                 "slug": "klaviyo"
                     *               }
                     *             ],
                     *             "recent_signals": [
                     *               {
                     *                 "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *                 "type": "technology_added",
                     *                 "technology": "klaviyo",
                     *                 "from": null,
                     *                 "to": "active",
                     *                 "confidence": "high",
                     *                 "effective_at": "2026-01-15T11:58:41.000Z",
                     *                 "confirmed_at": "2026-01-15T11:58:41.000Z"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "MTc2ODQ3ODQwMDAwMA.uQ3k5WQ2J0o8Zb1rT7xNfA"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StorePage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly countStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "where": {
                 *         "country": {
                 *           "any": [
                 *             "DE",
                 *             "AT"
                 *           ]
                 *         },
                 *         "technologies": [
                 *           {
                 *             "any": [
                 *               "klaviyo"
                 *             ],
                 *             "install_state": [
                 *               "active"
                 *             ]
                 *           },
                 *           {
                 *             "none": {
                 *               "category": "reviews"
                 *             }
                 *           }
                 *         ],
                 *         "dropped": [
                 *           {
                 *             "any": [
                 *               "loox"
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "facets": [
                 *         "country"
                 *       ],
                 *       "facet_size": 3
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoreCountRequest"];
            };
        };
        readonly responses: {
            /** @description The count. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "req_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "history_query": 1
                     *       },
                     *       "edition": {
                     *         "id": "edn_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "built_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "where": {
                     *         "country": {
                     *           "any": [
                     *             "AT",
                     *             "DE"
                     *           ]
                     *         },
                     *         "status": {
                     *           "any": [
                     *             "active_storefront"
                     *           ]
                     *         },
                     *         "technologies": [
                     *           {
                     *             "any": [
                     *               "klaviyo"
                     *             ],
                     *             "install_state": [
                     *               "active"
                     *             ]
                     *           },
                     *           {
                     *             "none": {
                     *               "category": [
                     *                 "reviews"
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "dropped": [
                     *           {
                     *             "any": [
                     *               "loox"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "window": {
                     *         "from": "2025-10-01T00:00:00.000Z",
                     *         "truncated_by_plan": false
                     *       },
                     *       "total": {
                     *         "value": 215,
                     *         "relation": "eq"
                     *       },
                     *       "not_judged": {
                     *         "scope_partial": {
                     *           "value": 12,
                     *           "relation": "eq"
                     *         }
                     *       },
                     *       "quote": {
                     *         "lookup_cached": 215,
                     *         "history_query": 5
                     *       },
                     *       "left": {
                     *         "lookup_cached": 24000,
                     *         "history_query": 980
                     *       },
                     *       "facets": [
                     *         {
                     *           "field": "country",
                     *           "values": [
                     *             {
                     *               "value": "DE",
                     *               "stores": 180
                     *             },
                     *             {
                     *               "value": "AT",
                     *               "stores": 35
                     *             }
                     *           ],
                     *           "other": 0,
                     *           "unknown": 0
                     *         }
                     *       ],
                     *       "sample": [
                     *         {
                     *           "domain": "no***.example"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StoreCount"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly exportStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "where": {
                 *         "country": {
                 *           "any": [
                 *             "DE",
                 *             "AT"
                 *           ]
                 *         },
                 *         "technologies": [
                 *           {
                 *             "any": [
                 *               "klaviyo"
                 *             ],
                 *             "install_state": [
                 *               "active"
                 *             ]
                 *           },
                 *           {
                 *             "none": {
                 *               "category": "reviews"
                 *             }
                 *           }
                 *         ],
                 *         "dropped": [
                 *           {
                 *             "any": [
                 *               "loox"
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "sort": "domain",
                 *       "format": "csv",
                 *       "columns": "hubspot",
                 *       "max_rows": 5000,
                 *       "max_units": {
                 *         "lookup_cached": 5000,
                 *         "history_query": 5
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoreExportRequest"];
            };
        };
        readonly responses: {
            /** @description The job. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "job_u1kandxv3w9p4nsbq7g8e2hm5t",
                     *       "type": "export",
                     *       "state": "queued",
                     *       "domain": null,
                     *       "progress": {
                     *         "total": 1840,
                     *         "done": 0,
                     *         "failed": 0
                     *       },
                     *       "attempts": 0,
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "lookup_live": 0,
                     *         "history_query": 0,
                     *         "refresh_requested": 0
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null,
                     *       "expires_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Job"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The account. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "id": "key_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "label": "Production",
                     *         "prefix": "svc_live_a1B2",
                     *         "environment": "live",
                     *         "scopes": [
                     *           "read:stores",
                     *           "write:scans"
                     *         ],
                     *         "expires_at": null
                     *       },
                     *       "workspace": {
                     *         "id": "ws_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "name": "Example Ltd"
                     *       },
                     *       "plan": {
                     *         "slug": "growth",
                     *         "limits": {
                     *           "concurrency": 20,
                     *           "enrich_batch_max": 100,
                     *           "freshness_days": 7,
                     *           "history_days": 365,
                     *           "live_refreshes_per_period": 5000,
                     *           "rpm": 600
                     *         },
                     *         "quotas": {
                     *           "lists": 100,
                     *           "list_stores": 250000,
                     *           "watchlists": 50,
                     *           "watched_stores": 25000,
                     *           "webhooks": 20
                     *         }
                     *       },
                     *       "period": {
                     *         "starts_at": "2026-01-01T00:00:00.000Z",
                     *         "ends_at": "2026-02-01T00:00:00.000Z",
                     *         "included": {
                     *           "history_query": 25000,
                     *           "lookup_cached": 250000,
                     *           "lookup_live": 5000,
                     *           "refresh_requested": 5000
                     *         },
                     *         "used": {
                     *           "history_query": 0,
                     *           "lookup_cached": 18204,
                     *           "lookup_live": 311,
                     *           "refresh_requested": 0
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Account"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getUsage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Usage, seconds after the requests. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": {
                     *         "starts_at": "2026-01-01T00:00:00.000Z",
                     *         "ends_at": "2026-02-01T00:00:00.000Z",
                     *         "included": {
                     *           "history_query": 25000,
                     *           "lookup_cached": 250000,
                     *           "lookup_live": 5000,
                     *           "refresh_requested": 5000
                     *         },
                     *         "used": {
                     *           "history_query": 0,
                     *           "lookup_cached": 18204,
                     *           "lookup_live": 311,
                     *           "refresh_requested": 0
                     *         }
                     *       },
                     *       "by_key": [
                     *         {
                     *           "key_id": "key_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "label": "Production",
                     *           "used": {
                     *             "history_query": 0,
                     *             "lookup_cached": 18204,
                     *             "lookup_live": 311,
                     *             "refresh_requested": 0
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Usage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listTechnologies: {
        readonly parameters: {
            readonly query?: {
                /** @description Only entries of this kind */
                readonly kind?: "platform" | "app" | "service" | "theme";
                /** @description Category slug; an unknown one gives an empty page. The categories, with the number of their technologies: a-b-testing (39), accessibility (49), advertising (189), affiliate-programs (110), analytics (280), appointment-scheduling (47), augmented-reality (13), authentication (22), blogs (14), buy-now-pay-later (81), caching (25), cart-abandonment (13), cdn (53), cms (279), comment-systems (10), content-curation (38), cookie-compliance (126), crm (23), cross-border-ecommerce (10), customer-data-platform (29), databases (4), digital-asset-management (18), ecommerce (373), ecommerce-frontends (4), editors (15), email (79), feature-management (2), font-scripts (76), fulfilment (74), geolocation (5), hosting (12), iaas (2), issue-trackers (2), javascript-frameworks (61), javascript-graphics (54), javascript-libraries (1009), live-chat (197), livestreaming (8), load-balancers (4), loyalty-and-rewards (27), magento-extensions (200), magento-themes (16), maps (67), marketing-automation (143), miscellaneous (77), mobile-frameworks (5), opencart-extensions (25), opencart-themes (16), operating-systems (17), paas (32), page-builders (56), payment-processors (309), performance (86), personalisation (133), prestashop-modules (150), prestashop-themes (9), programming-languages (24), recruitment-and-staffing (16), referral-marketing (7), reservations-and-delivery (26), retargeting (7), returns (12), reverse-proxies (5), reviews (120), rich-text-editors (10), rum (22), search-engines (58), security (116), segmentation (4), seo (35), shopify-apps (387), shopify-themes (123), shopware-plugins (49), static-site-generator (16), surveys (27), tag-managers (12), ticket-booking (2), translation (23), ui-frameworks (51), user-onboarding (9), video-players (58), web-frameworks (71), web-server-extensions (13), web-servers (70), widgets (145), wordpress-plugins (3155), wordpress-themes (1137). */
                readonly category?: string;
                /** @description Case-insensitive prefix of name or slug */
                readonly q?: string;
                /** @description `-stores`: the most stores first, then those whose `stores` is null; equal numbers by slug. All pages have the numbers of one edition */
                readonly sort?: "slug" | "-stores";
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of entries. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "slug": "klaviyo",
                     *           "name": "Klaviyo",
                     *           "kind": "service",
                     *           "category": "marketing-automation",
                     *           "vendor": "Klaviyo",
                     *           "website": "https://www.klaviyo.com/",
                     *           "listing_url": "https://shopscope.example/technologies/klaviyo",
                     *           "stores": 4210
                     *         }
                     *       ],
                     *       "next_cursor": "a2xhdml5bw.uQ3k5WQ2J0o8Zb1rT7xNfA"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TechnologyPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getTechnology: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The entry, with figures. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "klaviyo",
                     *       "name": "Klaviyo",
                     *       "kind": "service",
                     *       "category": "marketing-automation",
                     *       "vendor": "Klaviyo",
                     *       "website": "https://www.klaviyo.com/",
                     *       "listing_url": "https://shopscope.example/technologies/klaviyo",
                     *       "stores": 4210,
                     *       "by_platform": [
                     *         {
                     *           "platform": "shopify",
                     *           "stores": 3900
                     *         }
                     *       ],
                     *       "by_country": [
                     *         {
                     *           "country": "US",
                     *           "stores": 1800
                     *         }
                     *       ],
                     *       "by_industry": [
                     *         {
                     *           "industry": "apparel",
                     *           "stores": 1100
                     *         }
                     *       ],
                     *       "found_beside": [
                     *         {
                     *           "technology": "judge-me",
                     *           "stores": 720
                     *         }
                     *       ],
                     *       "edition": {
                     *         "id": "edn_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "built_at": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TechnologyDetails"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundTechnology"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly requestScan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description A hostname, or a whole URL, percent-encoded as one path segment; canonicalized to the registrable domain */
                readonly domain: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The job. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "type": "scan",
                     *       "state": "queued",
                     *       "domain": "shop.example",
                     *       "progress": {
                     *         "total": 1,
                     *         "done": 0,
                     *         "failed": 0
                     *       },
                     *       "attempts": 0,
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "lookup_live": 0,
                     *         "history_query": 0,
                     *         "refresh_requested": 1
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null,
                     *       "expires_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Job"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listJobs: {
        readonly parameters: {
            readonly query?: {
                /** @description Only jobs in this state */
                readonly state?: "queued" | "running" | "succeeded" | "failed" | "canceled";
                /** @description Only jobs of this type */
                readonly type?: "scan" | "enrich" | "replay" | "export";
                /** @description Only these jobs, in this order and on one page. Unknown ones are left out. Without state, type and cursor. One value or several, separated by commas */
                readonly ids?: readonly string[];
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of jobs. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "job_u1kandxv3w9p4nsbq7g8e2hm5t",
                     *           "type": "enrich",
                     *           "state": "queued",
                     *           "domain": null,
                     *           "progress": {
                     *             "total": 2,
                     *             "done": 0,
                     *             "failed": 0
                     *           },
                     *           "attempts": 0,
                     *           "billed": {
                     *             "lookup_cached": 0,
                     *             "lookup_live": 0,
                     *             "history_query": 0,
                     *             "refresh_requested": 0
                     *           },
                     *           "error": null,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": null,
                     *           "finished_at": null,
                     *           "expires_at": null
                     *         },
                     *         {
                     *           "id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "type": "scan",
                     *           "state": "failed",
                     *           "domain": "shop.example",
                     *           "progress": {
                     *             "total": 1,
                     *             "done": 1,
                     *             "failed": 1
                     *           },
                     *           "attempts": 1,
                     *           "billed": {
                     *             "lookup_cached": 0,
                     *             "lookup_live": 1,
                     *             "history_query": 0,
                     *             "refresh_requested": 0
                     *           },
                     *           "error": {
                     *             "code": "dns_failure",
                     *             "message": "The domain or a redirect target does not resolve."
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "started_at": "2026-01-15T12:00:04.000Z",
                     *           "finished_at": "2026-01-15T12:00:09.000Z",
                     *           "expires_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["JobPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The job. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "type": "scan",
                     *       "state": "failed",
                     *       "domain": "shop.example",
                     *       "progress": {
                     *         "total": 1,
                     *         "done": 1,
                     *         "failed": 1
                     *       },
                     *       "attempts": 1,
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "lookup_live": 1,
                     *         "history_query": 0,
                     *         "refresh_requested": 0
                     *       },
                     *       "error": {
                     *         "code": "dns_failure",
                     *         "message": "The domain or a redirect target does not resolve."
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": "2026-01-15T12:00:04.000Z",
                     *       "finished_at": "2026-01-15T12:00:09.000Z",
                     *       "expires_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Job"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundJob"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getJobResults: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of results. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "domain": "shop.example",
                     *           "external_id": "crm-1042",
                     *           "input": "shop.example",
                     *           "match": "matched",
                     *           "reason": null,
                     *           "scan_requested": false,
                     *           "scan_job_id": null,
                     *           "store": {
                     *             "brand_group_id": "bg_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "domain": "shop.example",
                     *             "storefront_host": "www.shop.example",
                     *             "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "name": "Example Shop",
                     *             "profile_url": "https://shopscope.example/stores/shop.example",
                     *             "catalog": {
                     *               "as_of": "2026-01-15T11:58:41.000Z",
                     *               "product_count": 184,
                     *               "available_count": 171,
                     *               "coverage": "first_page",
                     *               "currency": "EUR",
                     *               "price_range": {
                     *                 "median": 39.9,
                     *                 "p25": 24.5,
                     *                 "p75": 69
                     *               }
                     *             },
                     *             "geography": {
                     *               "basis": "observed",
                     *               "country": "DE"
                     *             },
                     *             "industry": {
                     *               "basis": "classified",
                     *               "slug": "apparel"
                     *             },
                     *             "observation": {
                     *               "coverage_note": null,
                     *               "last_completed_scan_at": "2026-01-15T11:58:41.000Z",
                     *               "scope": "full"
                     *             },
                     *             "platform": {
                     *               "name": "Shopify",
                     *               "slug": "shopify",
                     *               "confidence": "high",
                     *               "first_observed_at": "2025-11-02T08:12:09.000Z",
                     *               "last_confirmed_at": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "status": {
                     *               "state": "active_storefront",
                     *               "as_of": "2026-01-15T11:58:41.000Z"
                     *             },
                     *             "technologies": [
                     *               {
                     *                 "category": "marketing-automation",
                     *                 "confidence": "high",
                     *                 "first_observed_at": "2026-01-15T11:58:41.000Z",
                     *                 "install_state": "active",
                     *                 "last_confirmed_at": "2026-01-15T11:58:41.000Z",
                     *                 "name": "Klaviyo",
                     *                 "slug": "klaviyo"
                     *               }
                     *             ],
                     *             "recent_signals": [
                     *               {
                     *                 "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *                 "type": "technology_added",
                     *                 "technology": "klaviyo",
                     *                 "from": null,
                     *                 "to": "active",
                     *                 "confidence": "high",
                     *                 "effective_at": "2026-01-15T11:58:41.000Z",
                     *                 "confirmed_at": "2026-01-15T11:58:41.000Z"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["JobResults"];
                    readonly "application/x-ndjson": components["schemas"]["JobResult"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundJob"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getJobPart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description One range of bytes, such as `bytes=0-999`. Others are ignored. */
                readonly Range?: components["parameters"]["Range"];
            };
            readonly path: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
                /** @description Number of the part, from 1 */
                readonly part: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The part. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly "Content-Encoding": components["headers"]["Content-Encoding"];
                    readonly "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example {"domain":"shop.example","storefront_id":"sf_01kandxv3w9p4nsbq7g8e2hm5t"} */
                    readonly "application/x-ndjson": components["schemas"]["ExportContent"];
                    readonly "text/csv": components["schemas"]["ExportContent"];
                };
            };
            /** @description The bytes that Range names. */
            readonly 206: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly Vary: components["headers"]["Vary"];
                    readonly "Content-Encoding": components["headers"]["Content-Encoding"];
                    readonly "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    readonly "Content-Range": components["headers"]["Content-Range"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example {"domain":"shop.example","storefront_id":"sf_01kandxv3w9p4nsbq7g8e2hm5t"} */
                    readonly "application/x-ndjson": components["schemas"]["ExportContent"];
                    readonly "text/csv": components["schemas"]["ExportContent"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundJob"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly cancelJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix job_ */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The job. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "job_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "type": "scan",
                     *       "state": "canceled",
                     *       "domain": "shop.example",
                     *       "progress": {
                     *         "total": 1,
                     *         "done": 0,
                     *         "failed": 0
                     *       },
                     *       "attempts": 0,
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "lookup_live": 0,
                     *         "history_query": 0,
                     *         "refresh_requested": 0
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": "2026-01-15T12:00:02.000Z",
                     *       "expires_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Job"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundJob"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getStoreHistory: {
        readonly parameters: {
            readonly query?: {
                /** @description Earliest effective_at, inclusive. ISO 8601, UTC */
                readonly from?: string;
                /** @description Latest effective_at, inclusive. ISO 8601, UTC */
                readonly to?: string;
                /** @description Only signals of this type */
                readonly type?: "technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed";
                /** @description Only signals of this technology; for platform_changed and status_changed the platform */
                readonly technology?: string;
                /** @description Category of the technology; an unknown one gives an empty page */
                readonly category?: string;
                /** @description `retracted`: retracted signals beside the confirmed ones */
                readonly include?: "retracted";
                /** @description Only retracted signals, with or without include: earliest retracted_at, inclusive. ISO 8601, UTC */
                readonly retracted_from?: string;
                /** @description Only retracted signals, with or without include: latest retracted_at, inclusive. ISO 8601, UTC */
                readonly retracted_to?: string;
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description A hostname, or a whole URL, percent-encoded as one path segment; canonicalized to the registrable domain */
                readonly domain: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Signals within the window that the plan reaches. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "shop.example",
                     *       "observation": {
                     *         "coverage_note": null,
                     *         "last_completed_scan_at": "2026-01-15T11:58:41.000Z",
                     *         "scope": "full"
                     *       },
                     *       "window": {
                     *         "from": "2025-10-17T12:00:00.000Z",
                     *         "to": "2026-01-15T12:00:00.000Z",
                     *         "truncated_by_plan": true
                     *       },
                     *       "data": [
                     *         {
                     *           "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "type": "technology_added",
                     *           "technology": "klaviyo",
                     *           "from": null,
                     *           "to": "active",
                     *           "confidence": "high",
                     *           "effective_at": "2026-01-15T12:00:00.000Z",
                     *           "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *           "retracted_at": null,
                     *           "retracted_reason": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["History"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly searchSignals: {
        readonly parameters: {
            readonly query?: {
                /** @description Earliest effective_at, inclusive. ISO 8601, UTC */
                readonly from?: string;
                /** @description Latest effective_at, inclusive. ISO 8601, UTC */
                readonly to?: string;
                /** @description Only signals of these types. One value or several, separated by commas */
                readonly type?: readonly ("technology_added" | "technology_removed" | "install_state_changed" | "platform_changed" | "status_changed")[];
                /** @description Only signals of this technology; for platform_changed and status_changed the platform. One value or several, separated by commas */
                readonly technology?: readonly string[];
                /** @description Category of the technology; an unknown one gives an empty page */
                readonly category?: string;
                /** @description `retracted`: retracted signals beside the confirmed ones */
                readonly include?: "retracted";
                /** @description Only retracted signals, with or without include: earliest retracted_at, inclusive. ISO 8601, UTC */
                readonly retracted_from?: string;
                /** @description Only retracted signals, with or without include: latest retracted_at, inclusive. ISO 8601, UTC */
                readonly retracted_to?: string;
                /** @description The signal's `from`: a platform, an install_state or a status. One value or several, separated by commas */
                readonly from_value?: readonly string[];
                /** @description The signal's `to`: a platform, an install_state or a status. One value or several, separated by commas */
                readonly to_value?: readonly string[];
                /** @description Kind of the technology */
                readonly kind?: "platform" | "app" | "service" | "theme";
                /** @description Platform slug of the store when the signal was confirmed. One value or several, separated by commas */
                readonly platform?: readonly string[];
                /** @description Country of the store when the signal was confirmed; ZZ: unknown. One value or several, separated by commas */
                readonly country?: readonly string[];
                /** @description Industry slug of the store when the signal was confirmed. One value or several, separated by commas */
                readonly industry?: readonly string[];
                /** @description Only signals of this confidence */
                readonly confidence?: "high" | "medium" | "low";
                /** @description Earliest confirmed_at, inclusive; required with order=asc. ISO 8601, UTC */
                readonly confirmed_from?: string;
                /** @description Latest confirmed_at, inclusive. ISO 8601, UTC */
                readonly confirmed_to?: string;
                /** @description Only signals of the stores of this list, as it is when the page is read; an unknown one is 404. Needs the scope read:watchlists too */
                readonly list_id?: string;
                /** @description `asc`: oldest confirmed_at first, for a reader who follows next_cursor. It needs confirmed_from, and not retracted_from or retracted_to */
                readonly order?: "desc" | "asc";
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of signals. Those confirmed after the first page are not on later ones. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "type": "technology_added",
                     *           "technology": "klaviyo",
                     *           "from": null,
                     *           "to": "active",
                     *           "confidence": "high",
                     *           "effective_at": "2026-01-15T12:00:00.000Z",
                     *           "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *           "retracted_at": null,
                     *           "retracted_reason": null,
                     *           "domain": "shop.example",
                     *           "storefront_id": "sf_01kandxv3w9p4nsbq7g8e2hm5t"
                     *         }
                     *       ],
                     *       "next_cursor": "MTc2ODQ3ODQwMDAwMA.uQ3k5WQ2J0o8Zb1rT7xNfA",
                     *       "has_more": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SignalPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of an earlier page, with these or other filters. Without it the page begins with the oldest event */
                readonly after?: string;
                /** @description Only events of these types. One value or several, separated by commas */
                readonly types?: readonly ("signal.confirmed" | "signal.retracted" | "scan.completed" | "scan.failed" | "job.finished" | "usage.threshold_reached" | "key.expiring" | "watchlist.paused" | "watchlist.resumed" | "watchlist.rescans_paused" | "watchlist.rescans_resumed" | "webhook.failing" | "webhook.disabled")[];
                /** @description Only signals that reached the workspace by this watchlist, and changes of the watchlist itself; no scans. A deleted watchlist answers 404: without this filter, its events remain */
                readonly watchlist_id?: string;
                /** @description Entries of a page */
                readonly limit?: number;
                /** @description asc: along the sequence. desc: one page, the latest events first, without after */
                readonly order?: "asc" | "desc";
                /** @description Seconds that an empty page waits for the first event. With order=asc only. The request holds one concurrency slot meanwhile */
                readonly wait?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of events. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "sequence": 1042,
                     *           "type": "signal.confirmed",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "environment": "live",
                     *           "related": {
                     *             "type": "store",
                     *             "id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *             "url": "https://api.shopscope.example/v1/stores/shop.example"
                     *           },
                     *           "data": {
                     *             "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "type": "technology_added",
                     *             "technology": "klaviyo",
                     *             "from": null,
                     *             "to": "active",
                     *             "confidence": "high",
                     *             "effective_at": "2026-01-15T12:00:00.000Z",
                     *             "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *             "domain": "shop.example",
                     *             "storefront_id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *             "external_ids": [
                     *               "crm-1042"
                     *             ],
                     *             "watchlist_ids": [
                     *               "wl_01kandxv3w9p4nsbq7g8e2hm5t"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "MTA0Mg.uQ3k5WQ2J0o8Zb1rT7xNfA",
                     *       "has_more": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listEventTypes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All types. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "signal.confirmed",
                     *           "description": "A signal of a store in an active watchlist was confirmed.",
                     *           "scope": "read:signals",
                     *           "schema": {
                     *             "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *             "type": "object",
                     *             "properties": {
                     *               "id": {
                     *                 "type": "string",
                     *                 "pattern": "^evt_",
                     *                 "description": "Opaque, prefix evt_"
                     *               },
                     *               "sequence": {
                     *                 "type": "integer",
                     *                 "minimum": 1,
                     *                 "maximum": 9007199254740991,
                     *                 "description": "The place in the sequence of the workspace and the environment: from 1, without gaps"
                     *               },
                     *               "type": {
                     *                 "type": "string",
                     *                 "const": "signal.confirmed"
                     *               },
                     *               "created_at": {
                     *                 "type": "string",
                     *                 "format": "date-time",
                     *                 "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z))$",
                     *                 "description": "ISO 8601, UTC; it never decreases along the sequence"
                     *               },
                     *               "environment": {
                     *                 "type": "string",
                     *                 "x-extensible-enum": [
                     *                   "live",
                     *                   "test"
                     *                 ],
                     *                 "description": "Open-ended; today one of: live, test."
                     *               },
                     *               "related": {
                     *                 "anyOf": [
                     *                   {
                     *                     "type": "object",
                     *                     "properties": {
                     *                       "type": {
                     *                         "type": "string",
                     *                         "x-extensible-enum": [
                     *                           "store",
                     *                           "job",
                     *                           "watchlist",
                     *                           "webhook"
                     *                         ],
                     *                         "description": "Open-ended; today one of: store, job, watchlist, webhook."
                     *                       },
                     *                       "id": {
                     *                         "type": "string",
                     *                         "description": "The id of the resource"
                     *                       },
                     *                       "url": {
                     *                         "type": "string",
                     *                         "format": "uri",
                     *                         "description": "Where the resource is read"
                     *                       }
                     *                     },
                     *                     "required": [
                     *                       "type",
                     *                       "id",
                     *                       "url"
                     *                     ]
                     *                   },
                     *                   {
                     *                     "type": "null"
                     *                   }
                     *                 ],
                     *                 "description": "The resource that the event is about; null when no operation reads it"
                     *               },
                     *               "data": {
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "id": {
                     *                     "type": "string",
                     *                     "pattern": "^evt_",
                     *                     "description": "Opaque, prefix evt_"
                     *                   },
                     *                   "type": {
                     *                     "type": "string",
                     *                     "x-extensible-enum": [
                     *                       "technology_added",
                     *                       "technology_removed",
                     *                       "install_state_changed",
                     *                       "platform_changed",
                     *                       "status_changed"
                     *                     ],
                     *                     "description": "Open-ended; today one of: technology_added, technology_removed, install_state_changed, platform_changed, status_changed. `technology_added`: the technology was seen for the first time since it was absent. `technology_removed`: the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history. `install_state_changed`: the technology is still there with another install_state; inactive is such a change and not a removal. `platform_changed`: another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree. `status_changed`: another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable."
                     *                   },
                     *                   "technology": {
                     *                     "type": "string",
                     *                     "minLength": 1,
                     *                     "maxLength": 100,
                     *                     "description": "Technology slug; the platform's for platform_changed and status_changed"
                     *                   },
                     *                   "from": {
                     *                     "description": "The value before: an install_state, a platform slug or a status.state; null when added",
                     *                     "type": [
                     *                       "string",
                     *                       "null"
                     *                     ]
                     *                   },
                     *                   "to": {
                     *                     "description": "The value after, of the same kind; null when removed",
                     *                     "type": [
                     *                       "string",
                     *                       "null"
                     *                     ]
                     *                   },
                     *                   "confidence": {
                     *                     "type": "string",
                     *                     "x-extensible-enum": [
                     *                       "high",
                     *                       "medium",
                     *                       "low"
                     *                     ],
                     *                     "description": "Open-ended; today one of: high, medium, low. `high`: at least two independent kinds of evidence agree. `medium`: one kind of evidence. `low`: weak traces only, or implied by another technology; also the platform custom."
                     *                   },
                     *                   "effective_at": {
                     *                     "type": "string",
                     *                     "format": "date-time",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z))$",
                     *                     "description": "The scan that saw the change first. ISO 8601, UTC"
                     *                   },
                     *                   "confirmed_at": {
                     *                     "type": "string",
                     *                     "format": "date-time",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z))$",
                     *                     "description": "The scan that confirmed it. ISO 8601, UTC"
                     *                   },
                     *                   "domain": {
                     *                     "type": "string",
                     *                     "minLength": 3,
                     *                     "maxLength": 253,
                     *                     "description": "Canonical registrable domain, A-labels, lower case"
                     *                   },
                     *                   "storefront_id": {
                     *                     "type": "string",
                     *                     "pattern": "^sf_",
                     *                     "description": "Opaque, prefix sf_"
                     *                   },
                     *                   "external_ids": {
                     *                     "type": "array",
                     *                     "items": {
                     *                       "type": "string"
                     *                     },
                     *                     "description": "The ids that the workspace has given the store in these watchlists"
                     *                   },
                     *                   "watchlist_ids": {
                     *                     "type": "array",
                     *                     "items": {
                     *                       "type": "string",
                     *                       "pattern": "^wl_",
                     *                       "description": "Opaque, prefix wl_"
                     *                     },
                     *                     "description": "The active watchlists of the workspace that have the store"
                     *                   }
                     *                 },
                     *                 "required": [
                     *                   "id",
                     *                   "type",
                     *                   "technology",
                     *                   "from",
                     *                   "to",
                     *                   "confidence",
                     *                   "effective_at",
                     *                   "confirmed_at",
                     *                   "domain",
                     *                   "storefront_id",
                     *                   "external_ids",
                     *                   "watchlist_ids"
                     *                 ]
                     *               }
                     *             },
                     *             "required": [
                     *               "id",
                     *               "sequence",
                     *               "type",
                     *               "created_at",
                     *               "environment",
                     *               "related",
                     *               "data"
                     *             ],
                     *             "description": "A signal of a store in an active watchlist was confirmed."
                     *           },
                     *           "example": {
                     *             "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *             "sequence": 1042,
                     *             "type": "signal.confirmed",
                     *             "created_at": "2026-01-15T12:00:00.000Z",
                     *             "environment": "live",
                     *             "related": {
                     *               "type": "store",
                     *               "id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *               "url": "https://api.shopscope.example/v1/stores/shop.example"
                     *             },
                     *             "data": {
                     *               "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *               "type": "technology_added",
                     *               "technology": "klaviyo",
                     *               "from": null,
                     *               "to": "active",
                     *               "confidence": "high",
                     *               "effective_at": "2026-01-15T12:00:00.000Z",
                     *               "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *               "domain": "shop.example",
                     *               "storefront_id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *               "external_ids": [
                     *                 "crm-1042"
                     *               ],
                     *               "watchlist_ids": [
                     *                 "wl_01kandxv3w9p4nsbq7g8e2hm5t"
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EventTypePage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listLists: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of lists. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "lst_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "name": "Prospects",
                     *           "store_count": 2,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ListPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly createList: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Prospects"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ListCreate"];
            };
        };
        readonly responses: {
            /** @description The list. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "name": "Prospects",
                     *       "store_count": 0,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["List"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getList: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The list. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "name": "Prospects",
                     *       "store_count": 2,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["List"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly deleteList: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted. */
            readonly 204: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly updateList: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Prospects 2026"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ListUpdate"];
            };
        };
        readonly responses: {
            /** @description The list. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "lst_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "name": "Prospects",
                     *       "store_count": 2,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["List"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listListStores: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of stores. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "domain": "shop.example",
                     *           "external_id": "crm-1042",
                     *           "added_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MemberStorePage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly addListStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "stores": [
                 *         {
                 *           "domain": "https://www.shop.example/",
                 *           "external_id": "crm-1042"
                 *         },
                 *         {
                 *           "domain": "localhost"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoresAdd"];
            };
        };
        readonly responses: {
            /** @description What happened with each input. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "input": "https://www.shop.example/",
                     *           "domain": "shop.example",
                     *           "result": "added"
                     *         },
                     *         {
                     *           "input": "localhost",
                     *           "domain": null,
                     *           "result": "invalid_domain"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StoresAdded"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly removeListStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "domains": [
                 *         "shop.example",
                 *         "other.example"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoresRemove"];
            };
        };
        readonly responses: {
            /** @description What happened with each input. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "input": "shop.example",
                     *           "domain": "shop.example",
                     *           "result": "removed"
                     *         },
                     *         {
                     *           "input": "other.example",
                     *           "domain": "other.example",
                     *           "result": "absent"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StoresRemoved"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly removeListStore: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Removed. */
            readonly 204: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly enrichList: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix lst_ */
                readonly list_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "refresh": true,
                 *       "max_units": 500
                 *     }
                 */
                readonly "application/json": components["schemas"]["ListEnrichRequest"];
            };
        };
        readonly responses: {
            /** @description With dry_run: what the job would bill. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matched": 420,
                     *       "stale": 60,
                     *       "unknown": 20,
                     *       "quote": {
                     *         "lookup_cached": 480,
                     *         "lookup_live": 80,
                     *         "history_query": 0,
                     *         "refresh_requested": 0
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ListEnrichQuote"];
                };
            };
            /** @description The job. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "job_u1kandxv3w9p4nsbq7g8e2hm5t",
                     *       "type": "enrich",
                     *       "state": "queued",
                     *       "domain": null,
                     *       "progress": {
                     *         "total": 2,
                     *         "done": 0,
                     *         "failed": 0
                     *       },
                     *       "attempts": 0,
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "lookup_live": 0,
                     *         "history_query": 0,
                     *         "refresh_requested": 0
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null,
                     *       "expires_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Job"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listWatchlists: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of watchlists. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "name": "Competitors",
                     *           "signal_types": [
                     *             "technology_added",
                     *             "technology_removed",
                     *             "install_state_changed",
                     *             "platform_changed",
                     *             "status_changed"
                     *           ],
                     *           "technologies": [
                     *             "klaviyo"
                     *           ],
                     *           "rescan_interval_days": 7,
                     *           "budget": {
                     *             "refresh_requested": 500
                     *           },
                     *           "state": "active",
                     *           "rescans_paused": null,
                     *           "store_count": 40,
                     *           "next_rescan_at": "2026-01-15T12:00:00.000Z",
                     *           "forecast": {
                     *             "refresh_requested": 92,
                     *             "left": 408
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WatchlistPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly createWatchlist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Competitors",
                 *       "technologies": [
                 *         "klaviyo"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["WatchlistCreate"];
            };
        };
        readonly responses: {
            /** @description The watchlist. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "name": "Competitors",
                     *       "signal_types": [
                     *         "technology_added",
                     *         "technology_removed",
                     *         "install_state_changed",
                     *         "platform_changed",
                     *         "status_changed"
                     *       ],
                     *       "technologies": [
                     *         "klaviyo"
                     *       ],
                     *       "rescan_interval_days": null,
                     *       "budget": {
                     *         "refresh_requested": null
                     *       },
                     *       "state": "active",
                     *       "rescans_paused": null,
                     *       "store_count": 0,
                     *       "next_rescan_at": null,
                     *       "forecast": {
                     *         "refresh_requested": 0,
                     *         "left": 408
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Watchlist"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getWatchlist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The watchlist. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "name": "Competitors",
                     *       "signal_types": [
                     *         "technology_added",
                     *         "technology_removed",
                     *         "install_state_changed",
                     *         "platform_changed",
                     *         "status_changed"
                     *       ],
                     *       "technologies": [
                     *         "klaviyo"
                     *       ],
                     *       "rescan_interval_days": 7,
                     *       "budget": {
                     *         "refresh_requested": 500
                     *       },
                     *       "state": "active",
                     *       "rescans_paused": null,
                     *       "store_count": 40,
                     *       "next_rescan_at": "2026-01-15T12:00:00.000Z",
                     *       "forecast": {
                     *         "refresh_requested": 92,
                     *         "left": 408
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Watchlist"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly deleteWatchlist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted. */
            readonly 204: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly updateWatchlist: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "state": "paused"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WatchlistUpdate"];
            };
        };
        readonly responses: {
            /** @description The watchlist. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wl_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "name": "Competitors",
                     *       "signal_types": [
                     *         "technology_added",
                     *         "technology_removed",
                     *         "install_state_changed",
                     *         "platform_changed",
                     *         "status_changed"
                     *       ],
                     *       "technologies": [
                     *         "klaviyo"
                     *       ],
                     *       "rescan_interval_days": 7,
                     *       "budget": {
                     *         "refresh_requested": 500
                     *       },
                     *       "state": "paused",
                     *       "rescans_paused": null,
                     *       "store_count": 40,
                     *       "next_rescan_at": null,
                     *       "forecast": {
                     *         "refresh_requested": 0,
                     *         "left": 408
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Watchlist"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listWatchlistStores: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of stores. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "domain": "shop.example",
                     *           "external_id": "crm-1042",
                     *           "added_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MemberStorePage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly addWatchlistStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "stores": [
                 *         {
                 *           "domain": "https://www.shop.example/",
                 *           "external_id": "crm-1042"
                 *         },
                 *         {
                 *           "domain": "localhost"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoresAdd"];
            };
        };
        readonly responses: {
            /** @description What happened with each input. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "input": "https://www.shop.example/",
                     *           "domain": "shop.example",
                     *           "result": "added"
                     *         },
                     *         {
                     *           "input": "localhost",
                     *           "domain": null,
                     *           "result": "invalid_domain"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StoresAdded"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly removeWatchlistStores: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "domains": [
                 *         "shop.example",
                 *         "other.example"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["StoresRemove"];
            };
        };
        readonly responses: {
            /** @description What happened with each input. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "input": "shop.example",
                     *           "domain": "shop.example",
                     *           "result": "removed"
                     *         },
                     *         {
                     *           "input": "other.example",
                     *           "domain": "other.example",
                     *           "result": "absent"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["StoresRemoved"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly removeWatchlistStore: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix wl_ */
                readonly watchlist_id: string;
                /** @description Canonical registrable domain, A-labels, lower case */
                readonly domain: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Removed. */
            readonly 204: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of webhooks. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "url": "https://hooks.example/shopscope",
                     *           "event_types": [
                     *             "signal.confirmed"
                     *           ],
                     *           "description": "Production",
                     *           "watchlist_ids": [],
                     *           "filters": {
                     *             "signal_type": [],
                     *             "technology": [
                     *               "klaviyo"
                     *             ],
                     *             "category": [],
                     *             "platform": [],
                     *             "country": [
                     *               "DE",
                     *               "AT"
                     *             ],
                     *             "industry": [],
                     *             "confidence_min": "medium"
                     *           },
                     *           "max_per_minute": null,
                     *           "headers": {
                     *             "x-team": "***"
                     *           },
                     *           "state": "active",
                     *           "disabled_reason": null,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example/shopscope",
                 *       "event_types": [
                 *         "signal.confirmed"
                 *       ],
                 *       "description": "Production",
                 *       "filters": {
                 *         "technology": [
                 *           "klaviyo"
                 *         ],
                 *         "country": [
                 *           "DE",
                 *           "AT"
                 *         ],
                 *         "confidence_min": "medium"
                 *       },
                 *       "headers": {
                 *         "X-Team": "growth"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        readonly responses: {
            /** @description The webhook. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "url": "https://hooks.example/shopscope",
                     *       "event_types": [
                     *         "signal.confirmed"
                     *       ],
                     *       "description": "Production",
                     *       "watchlist_ids": [],
                     *       "filters": {
                     *         "signal_type": [],
                     *         "technology": [
                     *           "klaviyo"
                     *         ],
                     *         "category": [],
                     *         "platform": [],
                     *         "country": [
                     *           "DE",
                     *           "AT"
                     *         ],
                     *         "industry": [],
                     *         "confidence_min": "medium"
                     *       },
                     *       "max_per_minute": null,
                     *       "headers": {
                     *         "x-team": "***"
                     *       },
                     *       "state": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oD"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWatchlist"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The webhook. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "url": "https://hooks.example/shopscope",
                     *       "event_types": [
                     *         "signal.confirmed"
                     *       ],
                     *       "description": "Production",
                     *       "watchlist_ids": [],
                     *       "filters": {
                     *         "signal_type": [],
                     *         "technology": [
                     *           "klaviyo"
                     *         ],
                     *         "category": [],
                     *         "platform": [],
                     *         "country": [
                     *           "DE",
                     *           "AT"
                     *         ],
                     *         "industry": [],
                     *         "confidence_min": "medium"
                     *       },
                     *       "max_per_minute": null,
                     *       "headers": {
                     *         "x-team": "***"
                     *       },
                     *       "state": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhook"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted. */
            readonly 204: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhook"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "state": "paused"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        readonly responses: {
            /** @description The webhook. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "url": "https://hooks.example/shopscope",
                     *       "event_types": [
                     *         "signal.confirmed"
                     *       ],
                     *       "description": "Production",
                     *       "watchlist_ids": [],
                     *       "filters": {
                     *         "signal_type": [],
                     *         "technology": [
                     *           "klaviyo"
                     *         ],
                     *         "category": [],
                     *         "platform": [],
                     *         "country": [
                     *           "DE",
                     *           "AT"
                     *         ],
                     *         "industry": [],
                     *         "confidence_min": "medium"
                     *       },
                     *       "max_per_minute": null,
                     *       "headers": {
                     *         "x-team": "***"
                     *       },
                     *       "state": "paused",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhookOrNotFoundWatchlist"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "type": "webhook.failing"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookTest"];
            };
        };
        readonly responses: {
            /** @description What was sent, and its attempt. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event": {
                     *         "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "type": "webhook.failing",
                     *         "timestamp": "2026-01-15T12:00:00.000Z",
                     *         "test": true,
                     *         "data": {
                     *           "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "url": "https://hooks.example/shopscope"
                     *         },
                     *         "environment": "live"
                     *       },
                     *       "attempt": {
                     *         "at": "2026-01-15T12:00:00.000Z",
                     *         "status": 204,
                     *         "error": null,
                     *         "latency_ms": 87,
                     *         "body_excerpt": ""
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookTested"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhook"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookRotate"];
            };
        };
        readonly responses: {
            /** @description The webhook. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "url": "https://hooks.example/shopscope",
                     *       "event_types": [
                     *         "signal.confirmed"
                     *       ],
                     *       "description": "Production",
                     *       "watchlist_ids": [],
                     *       "filters": {
                     *         "signal_type": [],
                     *         "technology": [
                     *           "klaviyo"
                     *         ],
                     *         "category": [],
                     *         "platform": [],
                     *         "country": [
                     *           "DE",
                     *           "AT"
                     *         ],
                     *         "industry": [],
                     *         "confidence_min": "medium"
                     *       },
                     *       "max_per_minute": null,
                     *       "headers": {
                     *         "x-team": "***"
                     *       },
                     *       "state": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oD"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhook"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly replayWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "from": "2026-01-14T00:00:00.000Z",
                 *       "to": "2026-01-15T12:00:00.000Z",
                 *       "only": "all"
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        readonly responses: {
            /** @description The job. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "job_o1kandxv3w9p4nsbq7g8e2hm5t",
                     *       "type": "replay",
                     *       "state": "queued",
                     *       "domain": null,
                     *       "progress": {
                     *         "total": 2,
                     *         "done": 0,
                     *         "failed": 0
                     *       },
                     *       "attempts": 0,
                     *       "billed": {
                     *         "lookup_cached": 0,
                     *         "lookup_live": 0,
                     *         "history_query": 0,
                     *         "refresh_requested": 0
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null,
                     *       "expires_at": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Job"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhook"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Only deliveries in this state */
                readonly state?: "pending" | "delivering" | "succeeded" | "retrying" | "failed";
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix whk_ */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of deliveries. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "event_id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "event_type": "signal.confirmed",
                     *           "sequence": 1042,
                     *           "state": "succeeded",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-01-15T12:00:00.000Z",
                     *               "status": 204,
                     *               "error": null,
                     *               "latency_ms": 87,
                     *               "body_excerpt": ""
                     *             }
                     *           ],
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhook"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly listDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Only deliveries to this webhook, which may be deleted; an unknown one is 404 */
                readonly webhook_id?: string;
                /** @description Only deliveries of this event. An event without any delivery to a webhook of the workspace is 404 */
                readonly event_id?: string;
                /** @description Earliest created_at, inclusive. ISO 8601, UTC */
                readonly from?: string;
                /** @description Latest created_at, inclusive. ISO 8601, UTC */
                readonly to?: string;
                /** @description Only deliveries in this state */
                readonly state?: "pending" | "delivering" | "succeeded" | "retrying" | "failed";
                /** @description next_cursor of the page before */
                readonly cursor?: string;
                /** @description Entries of a page */
                readonly limit?: number;
            };
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of deliveries. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "event_id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "event_type": "signal.confirmed",
                     *           "sequence": 1042,
                     *           "state": "succeeded",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-01-15T12:00:00.000Z",
                     *               "status": 204,
                     *               "error": null,
                     *               "latency_ms": 87,
                     *               "body_excerpt": ""
                     *             }
                     *           ],
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundWebhookOrNotFoundDelivery"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path: {
                /** @description Opaque, prefix dlv_ */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The delivery. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "event_id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "event_type": "signal.confirmed",
                     *       "sequence": 1042,
                     *       "state": "succeeded",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-01-15T12:00:00.000Z",
                     *           "status": 204,
                     *           "error": null,
                     *           "latency_ms": 87,
                     *           "body_excerpt": ""
                     *         }
                     *       ],
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Delivery"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundDelivery"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly retryDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path: {
                /** @description Opaque, prefix dlv_ */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The delivery. */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "webhook_id": "whk_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "event_id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *       "event_type": "signal.confirmed",
                     *       "sequence": 1042,
                     *       "state": "pending",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-01-15T12:00:00.000Z",
                     *           "status": 204,
                     *           "error": null,
                     *           "latency_ms": 87,
                     *           "body_excerpt": ""
                     *         }
                     *       ],
                     *       "next_attempt_at": "2026-01-15T12:00:00.000Z",
                     *       "created_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Delivery"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundDelivery"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly resetTestTenant: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The test tenant is as at the beginning. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reset_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TestReset"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundTest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly appendTestEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "type": "signal.confirmed",
                 *       "data": {
                 *         "domain": "store-0001.test"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["TestEventRequest"];
            };
        };
        readonly responses: {
            /** @description The event. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event": {
                     *         "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *         "sequence": 1042,
                     *         "type": "signal.confirmed",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "environment": "test",
                     *         "related": {
                     *           "type": "store",
                     *           "id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *           "url": "https://api.shopscope.example/v1/stores/shop.example"
                     *         },
                     *         "data": {
                     *           "id": "evt_01kandxv3w9p4nsbq7g8e2hm5t",
                     *           "type": "technology_added",
                     *           "technology": "klaviyo",
                     *           "from": null,
                     *           "to": "active",
                     *           "confidence": "high",
                     *           "effective_at": "2026-01-15T12:00:00.000Z",
                     *           "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *           "domain": "shop.example",
                     *           "storefront_id": "sf_4zrb6p8wq2m1n7k5j3h9g0f2e4",
                     *           "external_ids": [
                     *             "crm-1042"
                     *           ],
                     *           "watchlist_ids": [
                     *             "wl_01kandxv3w9p4nsbq7g8e2hm5t"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TestEvent"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundTest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly setTestAllowance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "lookup_cached": 3
                 *     }
                 */
                readonly "application/json": components["schemas"]["TestAllowanceRequest"];
            };
        };
        readonly responses: {
            /** @description The period, as in GET /v1/account. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "starts_at": "2026-01-01T00:00:00.000Z",
                     *       "ends_at": "2026-02-01T00:00:00.000Z",
                     *       "included": {
                     *         "history_query": 25000,
                     *         "lookup_cached": 250000,
                     *         "lookup_live": 5000,
                     *         "refresh_requested": 5000
                     *       },
                     *       "used": {
                     *         "history_query": 0,
                     *         "lookup_cached": 18204,
                     *         "lookup_live": 311,
                     *         "refresh_requested": 0
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Period"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundTest"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly graphql: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Same key and same body within 24 hours return the first answer and bill nothing. Derive it from stable identifiers. */
                readonly "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "query": "query ($domain: String!) { store(domain: $domain) { match store { domain platform { slug } } } }",
                 *       "variables": {
                 *         "domain": "shop.example"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["GraphqlRequest"];
            };
        };
        readonly responses: {
            /** @description The data, and what it cost. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "store": {
                     *           "match": "matched",
                     *           "store": {
                     *             "domain": "shop.example",
                     *             "platform": {
                     *               "slug": "shopify"
                     *             }
                     *           }
                     *         }
                     *       },
                     *       "extensions": {
                     *         "cost": {
                     *           "requested": {
                     *             "lookup_cached": 1,
                     *             "history_query": 0
                     *           },
                     *           "billed": {
                     *             "lookup_cached": 1,
                     *             "history_query": 0
                     *           },
                     *           "nodes": {
                     *             "requested": 1,
                     *             "limit": 1000
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GraphqlResponse"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["ForbiddenScope"];
            readonly 404: components["responses"]["NotFoundList"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
    readonly getGraphqlSchema: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Repeated in the answer; made by the service when absent. */
                readonly "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The schema. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "X-Usage-Remaining": components["headers"]["X-Usage-Remaining"];
                    readonly "X-Shopscope-Environment": components["headers"]["X-Shopscope-Environment"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example type Query {
                     *       store(domain: String!): EnrichResult!
                     *     }
                     */
                    readonly "application/graphql": components["schemas"]["GraphqlSchema"];
                };
            };
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["ConcurrencyLimitedOrUnavailable"];
        };
    };
}
