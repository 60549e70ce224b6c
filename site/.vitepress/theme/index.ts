import type { Theme } from 'vitepress';
// With the fonts of the system: nothing is loaded that the reader does not see.
import DefaultTheme from 'vitepress/theme-without-fonts';
import RuleList from './rule-list';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('RuleList', RuleList);
  },
} satisfies Theme;
