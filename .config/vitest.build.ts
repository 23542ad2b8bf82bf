/** Before the tests: the host is built, so that those who start it start what the sources say. */
import { build } from './build.mjs';

export default build;
