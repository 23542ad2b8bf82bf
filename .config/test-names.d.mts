/** The names of all tests below a folder, as far as they are written out. */
export function testNames(folder: string): string[];
/** The names in the text of one test file. */
export function namesIn(text: string, file?: string): string[];
