export const BUILDER_TABS = ['graph', 'form', 'plans', 'history'] as const;
export type BuilderTab = (typeof BUILDER_TABS)[number];
