import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The llama.cpp library that node-llama-cpp ships for this machine. */
export interface LlamaLibrary {
  folder: string;
  llama: string;
  ggml: string;
  /** Of the shared object, "0.4.0"; part of the cache key of what it makes. */
  version: string;
}

const PACKAGES: Record<string, readonly string[]> = {
  'linux-x64': ['linux-x64'],
  'linux-arm64': ['linux-arm64'],
  'darwin-arm64': ['mac-arm64-metal'],
  'darwin-x64': ['mac-x64'],
};

/** Throws where the package for this platform is not installed. */
export function findLlamaLibrary(platform = `${process.platform}-${process.arch}`): LlamaLibrary {
  const require = createRequire(createRequire(import.meta.url).resolve('node-llama-cpp'));
  for (const name of PACKAGES[platform] ?? []) {
    const bins = path.join(path.dirname(require.resolve(`@node-llama-cpp/${name}`)), '..', 'bins');
    const folder = path.join(bins, fs.readdirSync(bins)[0] ?? '');
    const files = fs.readdirSync(folder);
    const find = (stem: string): string | undefined =>
      files.find((f) => new RegExp(`^lib${stem}(\\.v[\\d.]+)?\\.(so|dylib)$`).test(f));
    const llama = find('llama');
    const ggml = find('ggml');
    if (!llama || !ggml) throw new Error(`no libllama in ${folder}`);
    return {
      folder,
      llama: path.join(folder, llama),
      ggml: path.join(folder, ggml),
      version: /v([\d.]+)\./.exec(llama)?.[1] ?? 'unknown',
    };
  }
  throw new Error(`no llama.cpp library for ${platform}`);
}
