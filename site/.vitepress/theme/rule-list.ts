import { withBase } from 'vitepress';
import { computed, defineComponent, h, onMounted, type PropType, reactive, watch } from 'vue';

/** A group of rules in the list. */
interface ListedGroup {
  readonly title: string;
  readonly anchor: string;
  readonly system: string;
  readonly rules: readonly ListedRule[];
}

interface ListedRule {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly address: string;
}

const SEVERITIES = ['error', 'warning', 'note'];

/** The words by which people call the systems of rules. */
const SYSTEMS: Readonly<Record<string, string>> = {
  rehearsal: 'rehearsals',
  kruise: 'Kruise Rollouts',
  argo: 'Argo Rollouts',
  'aws-load-balancers': 'load balancers of AWS',
  ktenv: 'KtEnv',
  manifests: 'every manifest',
};

/** All rules in their groups, and fields that leave out some. Without JavaScript it is the whole list. */
export default defineComponent({
  props: { groups: { type: Array as PropType<readonly ListedGroup[]>, required: true } },
  setup({ groups }) {
    const chosen = reactive({ text: '', system: '', severity: '' });
    const systems = [...new Set(groups.map(({ system }) => system))];
    const total = groups.reduce((sum, { rules }) => sum + rules.length, 0);

    const shown = computed(() => {
      const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
      const isShown = ({ id, severity, title }: ListedRule) =>
        (chosen.severity === '' || chosen.severity === severity) &&
        words.every((word) => `${id} ${title}`.toLowerCase().includes(word));
      return groups
        .filter(({ system }) => chosen.system === '' || chosen.system === system)
        .map((group) => ({ ...group, rules: group.rules.filter(isShown) }))
        .filter(({ rules }) => rules.length > 0);
    });
    const count = computed(() => shown.value.reduce((sum, { rules }) => sum + rules.length, 0));

    // The address holds what is chosen, so that a list can be sent to somebody.
    onMounted(() => {
      const asked = new URLSearchParams(location.search);
      for (const name of ['text', 'system', 'severity'] as const) chosen[name] = asked.get(name) ?? '';
      watch(chosen, () => {
        const set = Object.entries(chosen).filter(([, value]) => value !== '');
        const query = set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
        history.replaceState(history.state, '', `${location.pathname}${query}${location.hash}`);
      });
    });

    const choice = (name: 'system' | 'severity', label: string, values: readonly (readonly [string, string])[]) =>
      h('label', [
        h('span', label),
        h(
          'select',
          {
            value: chosen[name],
            onChange: ({ target }: Event) => {
              chosen[name] = (target as HTMLSelectElement).value;
            },
          },
          values.map(([value, text]) => h('option', { value, selected: value === chosen[name] }, text)),
        ),
      ]);

    return () => [
      h('form', { class: 'rule-filter', role: 'search', onSubmit: (event: Event) => event.preventDefault() }, [
        h('label', { class: 'wide' }, [
          h('span', 'Text'),
          h('input', {
            type: 'search',
            value: chosen.text,
            placeholder: 'weight, cookie, alb-…',
            autocomplete: 'off',
            spellcheck: false,
            onInput: ({ target }: Event) => {
              chosen.text = (target as HTMLInputElement).value;
            },
          }),
        ]),
        choice('system', 'System', [['', 'all'], ...systems.map((each) => [each, SYSTEMS[each] ?? each] as const)]),
        choice('severity', 'Severity', [['', 'all'], ...SEVERITIES.map((each) => [each, each] as const)]),
        h('p', { role: 'status' }, count.value === total ? `${total} rules` : `${count.value} of ${total} rules`),
      ]),
      ...shown.value.map(({ title, anchor, rules }) =>
        h('section', { key: anchor }, [
          h('h2', { id: anchor, tabindex: -1 }, [
            `${title} `,
            h('a', { class: 'header-anchor', href: `#${anchor}`, 'aria-label': `Permalink to “${title}”` }, '\u200b'),
          ]),
          h('table', { class: 'rules' }, [
            h('thead', h('tr', [h('th', 'rule'), h('th', 'severity'), h('th', 'what it finds')])),
            h(
              'tbody',
              rules.map((rule) =>
                h('tr', { key: rule.id }, [
                  h('td', h('a', { href: withBase(rule.address) }, rule.id)),
                  h('td', { class: rule.severity }, rule.severity),
                  h('td', rule.title),
                ]),
              ),
            ),
          ]),
        ]),
      ),
    ];
  },
});
