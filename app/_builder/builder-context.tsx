'use client';

import { createContext, type ReactNode, use } from 'react';
import { useStore } from 'zustand';
import type { DocumentState, DocumentStore } from './document-store';
import type { UiState, UiStore } from './ui-store';

interface Builder {
  document: DocumentStore;
  ui: UiStore;
}

const BuilderContext = createContext<Builder | null>(null);

export function BuilderProvider({ value, children }: { value: Builder; children: ReactNode }) {
  return <BuilderContext value={value}>{children}</BuilderContext>;
}

export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (!builder) throw new Error('useBuilder outside of BuilderProvider');
  return builder;
}

export const useDocument = <T,>(select: (state: DocumentState) => T): T =>
  useStore(useBuilder().document.store, select);
export const useUi = <T,>(select: (state: UiState) => T): T => useStore(useBuilder().ui, select);
