import { PolicyPack } from '@pulumi/policy';
import { policies } from '../../../../src/policy';

new PolicyPack('plain', { policies });
