/** TypeScript as an author's editor checks it: texts that lie in a folder, some of them in memory only. */
import { join } from 'node:path';
import ts from 'typescript';

export interface Compiling {
  /** Where the texts lie, beside what is there on disk. */
  readonly folder: string;
  /** By file name. */
  readonly files: { readonly [name: string]: string };
  readonly options?: ts.CompilerOptions;
}

/** The compiler's complaints about those texts, each with its file and line. */
export function complaints({ folder, files, options }: Compiling): readonly string[] {
  const all: ts.CompilerOptions = {
    strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], ...options,
  };
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  const host = ts.createCompilerHost(all);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, version) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, text, version);
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([...texts.keys()], all, host)).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? `${file.fileName.slice(folder.length + 1)}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}
