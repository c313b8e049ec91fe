'use client';

import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

export const RUN_TABS = ['overview', 'load', 'quality', 'trials', 'plan'] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** All that a reader can choose on an experiment's page; it stands in the URL, so that a link shows the same. */
export const useViewState = () =>
  useQueryStates({
    tab: parseAsStringLiteral(RUN_TABS).withDefault('overview'),
    workload: parseAsString,
    load: parseAsInteger.withDefault(0),
    arms: parseAsArrayOf(parseAsInteger),
    trial: parseAsString,
    differences: parseAsStringLiteral(['only', 'all']).withDefault('only'),
  });
export type ViewState = ReturnType<typeof useViewState>[0];
export type SetViewState = ReturnType<typeof useViewState>[1];
