/** Runs examples one after the other, and prints what each printed: `{"name": {"stdout": "…", "stderr": "…"}}`. */
import { join } from 'node:path';

const printed: Record<string, { stdout: string; stderr: string }> = {};
const write = process.stdout.write.bind(process.stdout);

for (const name of process.argv.slice(2)) {
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = ((text: string) => {
      texts[stream] += text;
      return true;
    }) as typeof process.stdout.write;
  }
  require(join(__dirname, '..', 'examples', name));
  printed[name] = texts;
}

write(JSON.stringify(printed));
