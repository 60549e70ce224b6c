import { main } from '../../src/cli/main';

// What bin/rollout-constructs does, from the sources.
main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
