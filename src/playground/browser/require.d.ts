/** The bundle resolves it. */
declare function require(name: string): unknown;
