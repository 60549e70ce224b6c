/** The proof of imported programs: their constructs, made with cdk8s. */
export * from './import-program';
