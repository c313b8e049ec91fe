'use client';

import { useEffect } from 'react';
import { useBuilder } from './builder-context';
import { type CompilePort, createLatestCompiler } from './latest-compiler';
import { groupFindings } from './ui-store';

/** Compiles at each edit in a web worker and puts the outcome into the builder's state. */
export function useCompiler(): void {
  const { document, ui } = useBuilder();
  useEffect(() => {
    const worker = new Worker(new URL('./compile.worker.ts', import.meta.url), { type: 'module' });
    const fail = (message: string) => ui.setState({ compiling: false, compileFailure: message });
    worker.onerror = (event) => fail(event.message || 'The compiler could not be loaded. Reload the page.');
    const compiler = createLatestCompiler(worker as unknown as CompilePort, {
      onCompiled: (compiled) =>
        ui.setState({
          compiled,
          compiling: false,
          compileFailure: null,
          findingsByNode: groupFindings(compiled.findings),
        }),
      onFailure: fail,
    });
    let last = document.store.getState().pipeline;
    compiler.compile(last);
    const unsubscribe = document.store.subscribe(({ pipeline }) => {
      if (pipeline === last) return;
      last = pipeline;
      ui.setState({ compiling: true });
      compiler.compile(pipeline);
    });
    return () => {
      unsubscribe();
      worker.terminate();
    };
  }, [document, ui]);
}
