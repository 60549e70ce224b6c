import { resolve } from 'node:path';
import { type Finding, inReportOrder } from '../../core/finding';
import { comparedWithBaseline } from '../../files/baseline';
import { readClusterScripts } from '../../files/cluster-scripts';
import { loadConfig, sourceOf, withFacts } from '../../files/config';
import { packageVersion } from '../../files/package';
import { checkedConfig } from '../../settings/config';
import { type Settings, settingsOf, weighed } from '../../settings/settings';
import { UserError } from '../../settings/user-error';
import { exitCodeOf } from '../check/exit-code';
import { type Command, parseOptions } from '../command';
import { type Io, styleOf, write } from '../io';

const command: Command = {
  name: 'krm',
  usage: `
usage: rollout-constructs krm < resource-list.yaml
       kustomize build --enable-alpha-plugins --enable-exec overlays/prod

A KRM function: reads a ResourceList from stdin, checks and rehearses its items as one stack, and writes the same
ResourceList with the findings as results. Kustomize calls it as rollout-constructs-krm; docs/tools.md has the recipe.
The spec of the functionConfig has the fields of the configuration file. They come before those of
rollout-constructs.config.{json,yaml,ts} here or above.

Exit codes: 0 no errors; 1 errors, or more warnings than allowed; 2 wrong use, or input that cannot be read.
`,
  async run(args, io) {
    parseOptions(command.name, args, {}, { max: 0, what: '' });
    const { parseManifests, STDIN, World } = await import('../../core');
    const { readResourceList, fileOfObject } = await import('../krm/resource-list');
    const text = await textOf(io);
    const list = readResourceList(text);
    const { settings, baseline } = readSpec(list.spec, io);
    const read = parseManifests(text, STDIN);
    const { checkStack, wholeCatalogue } = await import('../../check');
    const { rehearsal } = settings.check;
    const result = checkStack(World.of(read.manifests, { defaultNamespace: settings.namespace }), {
      ...settings.check,
      rehearsal: rehearsal && { ...rehearsal, reports: false },
      earlier: read.findings,
    });
    const all = weighed(result.findings, settings.severities);
    const findings = baseline === undefined ? all.findings : comparedWithBaseline(all.findings, baseline).findings;
    const { krmResults } = await import('../../report/krm');
    await write(io.stdout, list.withResults(krmResults(findings, fileOfObject(read.manifests))));
    const code = exitCodeOf(findings, { maxWarnings: settings.maxWarnings, isEmpty: false, all: result.findings });
    if (code === 0) return 0;
    // What kustomize shows of a function that fails.
    const { reporters } = await import('../../report');
    const shown = findings.filter(({ severity }) => severity !== 'note').map(withoutPlace);
    const context = { suppressed: [], sources: read.sources, catalogue: wholeCatalogue(), version: packageVersion() };
    await write(
      io.stderr,
      reporters.pretty(
        inReportOrder(shown, (each) => each),
        { ...styleOf(io, true), ...context },
      ),
    );
    return code;
  },
};

export default command;

/** A line of the ResourceList is of no use to people, who never see it. */
function withoutPlace({ source: _, related, ...finding }: Finding): Finding {
  if (related === undefined) return finding;
  const { source: _source, ...rest } = related;
  return { ...finding, related: rest };
}

async function textOf(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  const { DEFAULT_LIMITS } = await import('../../core');
  let size = 0;
  for await (const chunk of io.stdin) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)!.length;
    if (size > DEFAULT_LIMITS.fileSize) {
      throw new UserError(`standard input has more than ${DEFAULT_LIMITS.fileSize / 2 ** 20} MB`);
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What messages call the settings of the function. */
const HERE = 'spec of the functionConfig';

function readSpec(spec: object, io: Io) {
  if (Object.hasOwn(spec, 'files')) throw new UserError(`files in the ${HERE}: the ResourceList says what is checked`);
  const own = checkedConfig(spec, HERE);
  const loaded = loadConfig(io, undefined);
  const here = { config: own, folder: io.cwd, place: (field: string) => `${field} of the ${HERE}` };
  const catalogue = () => (require('../../check') as typeof import('../../check')).wholeCatalogue();
  const settings: Settings = settingsOf(
    [here, sourceOf(loaded, io.cwd)].flatMap((one) => withFacts(one)),
    catalogue,
    readClusterScripts,
  );
  const folder = own.baseline === undefined ? (loaded?.folder ?? io.cwd) : io.cwd;
  const name = own.baseline ?? loaded?.config.baseline;
  return { settings, ...(name !== undefined && { baseline: { file: resolve(folder, name), name } }) };
}
