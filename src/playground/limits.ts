/** How long one answer may take, in seconds. */
export const SECONDS = 10;

/** The most requests of one page. */
export const MOST_REQUESTS = 20;
