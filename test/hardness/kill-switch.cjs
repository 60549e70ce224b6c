// Loaded before the command line: kills the process with SIGKILL at one point of its first write of a file below KILL_IN.
const fs = require('node:fs');
const { KILL_AT, KILL_IN } = process.env;
const { writeFileSync, renameSync } = fs;

function die() {
  process.kill(process.pid, 'SIGKILL');
  // The signal ends the process before anything else of it runs.
  for (;;);
}

fs.writeFileSync = (file, data, options) => {
  const isMeant = typeof file === 'string' && file.startsWith(KILL_IN);
  if (isMeant && KILL_AT === 'in the middle of the write') {
    const text = String(data);
    writeFileSync(file, text.slice(0, text.length / 2), options);
    die();
  }
  writeFileSync(file, data, options);
};

fs.renameSync = (from, to) => {
  const isMeant = typeof to === 'string' && to.startsWith(KILL_IN);
  if (isMeant && KILL_AT === 'before the rename') die();
  renameSync(from, to);
  if (isMeant && KILL_AT === 'after the rename') die();
};
