/** The version of Model Hub, from its package. */
import { version } from '../../package.json';

export const VERSION: string = version;
