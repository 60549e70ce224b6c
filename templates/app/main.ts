import { createApp } from './app';

createApp().app.synth();
